// cuda::std is the standard library: device code runs on the host's processor.
#ifndef SIMT_STD_ALIAS_HPP
#define SIMT_STD_ALIAS_HPP

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
} // namespace cuda
#endif
