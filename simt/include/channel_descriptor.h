/* cudaCreateChannelDesc<T>(): the format of an element type, for arrays and textures.
 *
 * Result   simt::format_of<T>: the component type and how many there are
 * Source   CUDA Runtime API 13.0, section C++ API Routines
 */
#ifndef SIMT_CHANNEL_DESCRIPTOR_H
#define SIMT_CHANNEL_DESCRIPTOR_H
#include "simt/names_begin.inc"
#define __CHANNEL_DESCRIPTOR_H__

#include "driver_types.h"
#include "vector_types.h"

#ifdef __cplusplus

namespace simt {

template <class T> struct format_of;

template <class Base, int Number, cudaChannelFormatKind Kind> struct format {
  typedef Base base;
  static const int number = Number;
  static const cudaChannelFormatKind kind = Kind;
};

#define SIMT_FORMAT(type, base, number, kind) \
  template <> struct format_of<type> : format<base, number, cudaChannelFormatKind##kind> {};
// clang-format off
#define SIMT_FORMATS(base, vector, kind)                                      \
  SIMT_FORMAT(base, base, 1, kind) SIMT_FORMAT(vector##1, base, 1, kind)      \
  SIMT_FORMAT(vector##2, base, 2, kind) SIMT_FORMAT(vector##4, base, 4, kind)
// clang-format on
SIMT_FORMATS(signed char, char, Signed)
SIMT_FORMATS(unsigned char, uchar, Unsigned)
SIMT_FORMATS(short, short, Signed)
SIMT_FORMATS(unsigned short, ushort, Unsigned)
SIMT_FORMATS(int, int, Signed)
SIMT_FORMATS(unsigned int, uint, Unsigned)
SIMT_FORMATS(float, float, Float)
SIMT_FORMAT(char, char, 1, Signed)
#undef SIMT_FORMATS
#undef SIMT_FORMAT

} // namespace simt

template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef simt::format_of<T> format;
  const int bits = 8 * static_cast<int>(sizeof(typename format::base));
  return cudaChannelFormatDesc{bits, format::number > 1 ? bits : 0, format::number > 2 ? bits : 0,
                               format::number > 3 ? bits : 0, format::kind};
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaChannelFormatDesc{16, 0, 0, 0, cudaChannelFormatKindFloat};
}

#endif
#include "simt/names_end.inc"
#endif
