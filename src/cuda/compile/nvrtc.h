/* nvrtc.h - the entries of NVIDIA's run-time compiler that this library uses, declared here
 *
 * Source   NVIDIA's NVRTC documentation */
#ifndef HEDDLE_CUDA_COMPILE_NVRTC_H
#define HEDDLE_CUDA_COMPILE_NVRTC_H

#include "cuda/core/driver.h"

typedef int nvrtc_result;
typedef struct nvrtc_program_s *nvrtc_program;

enum {
  NVRTC_SUCCESS = 0,
  NVRTC_OUT_OF_MEMORY = 1,
  NVRTC_INVALID_OPTION = 5,
  NVRTC_COMPILATION = 6
};

/* clang-format off */
/* X(member, "symbol", arguments): every one returns nvrtc_result */
#define HD_NVRTC_ENTRIES(X)                                                                        \
  X(version, "nvrtcVersion", (int *major, int *minor))                                             \
  X(arch_count, "nvrtcGetNumSupportedArchs", (int *count))                                         \
  X(archs, "nvrtcGetSupportedArchs", (int *archs))                                                 \
  X(create, "nvrtcCreateProgram",                                                                  \
    (nvrtc_program *out, const char *text, const char *name, int headers,                          \
     const char *const *header_texts, const char *const *header_names))                            \
  X(destroy, "nvrtcDestroyProgram", (nvrtc_program *program))                                      \
  X(compile, "nvrtcCompileProgram",                                                                \
    (nvrtc_program program, int count, const char *const *options))                                \
  X(cubin_bytes, "nvrtcGetCUBINSize", (nvrtc_program program, size_t *bytes))                      \
  X(cubin, "nvrtcGetCUBIN", (nvrtc_program program, char *out))                                    \
  X(ptx_bytes, "nvrtcGetPTXSize", (nvrtc_program program, size_t *bytes))                          \
  X(ptx, "nvrtcGetPTX", (nvrtc_program program, char *out))                                        \
  X(log_bytes, "nvrtcGetProgramLogSize", (nvrtc_program program, size_t *bytes))                   \
  X(log, "nvrtcGetProgramLog", (nvrtc_program program, char *out))
/* clang-format on */

struct hd_cuda_nvrtc {
#define HD_ENTRY(member, symbol, arguments) nvrtc_result(*member) arguments;
  HD_NVRTC_ENTRIES(HD_ENTRY)
#undef HD_ENTRY
  void *handle, *builtins;
  int major, minor;
  int arch[64]; /* that it compiles for, rising: 90 for sm_90 */
  int arch_count_known;
  char path[1024];         /* its full name */
  u64 file_bytes, file_ns; /* of that file: tells one build from another */
};

/* What a compiler makes of a text. */
struct hd_cuda_image {
  void *data; /* a cubin or PTX, malloc'ed, with a zero byte beyond it */
  size_t bytes;
};

/* The compiler for chips of compute capability cc (90 for 9.0): the first of the search whose
 * version knows the chip and is not beyond the driver's, else the first that there is. */
heddle_status hd_cuda_nvrtc_load(const char *entry, const struct hd_cuda_driver *cu, int cc,
                                 const struct hd_cuda_nvrtc **out);

/* The chip to compile for: cc, or the last before it that the compiler knows, as PTX then. */
int hd_cuda_nvrtc_arch(const struct hd_cuda_nvrtc *nvrtc, int cc, bool *ptx);

/* What of a text is the caller's own. */
enum hd_cuda_own { HD_CUDA_OWN_NONE, HD_CUDA_OWN_OPERATOR, HD_CUDA_OWN_TEST };

/* Compiles a text, whose name is for messages. Text of the caller's own that does not compile is
 * HEDDLE_BAD_ARGUMENT, any other HEDDLE_DEVICE_ERROR; the message has the compiler's first
 * words. */
heddle_status hd_cuda_nvrtc_compile(const char *entry, const struct hd_cuda_nvrtc *nvrtc,
                                    const char *name, const char *text, enum hd_cuda_own own,
                                    const char *const *options, int option_count, bool ptx,
                                    struct hd_cuda_image *out);

/* nvrtc_find.c: calls visit(arg, path) for every place where the compiler may lie, best first,
 * until it returns true. A path without a slash is for the loader; loaded: only if the process
 * has it already. */
typedef bool hd_cuda_nvrtc_visit(void *arg, const char *path, bool loaded);
bool hd_cuda_nvrtc_search(hd_cuda_nvrtc_visit *visit, void *arg);
/* NVIDIA's wheels beside libheddle, if its folder `own` (changed) is a wheel's: heddle/,
 * heddle/lib/ or heddle.libs/ in site-packages or dist-packages. */
bool hd_cuda_nvrtc_beside(char *own, hd_cuda_nvrtc_visit *visit, void *arg);
/* The places in a file's or folder's name that $HEDDLE_NVRTC gives. */
bool hd_cuda_nvrtc_given(const char *given, hd_cuda_nvrtc_visit *visit, void *arg);

#endif
