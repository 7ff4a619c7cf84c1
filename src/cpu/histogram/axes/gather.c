/* gather.c - blocks of elements that lie apart; see gather.h
 *
 * Method   A loop an element's size. Strides of 2 and 3, those of points, are known to the compiler. */
#include "gather.h"

#include "order/types.h"

#define GATHER_T u8
#include "gather_tmpl.h"
#define GATHER_T u16
#include "gather_tmpl.h"
#define GATHER_T u32
#include "gather_tmpl.h"
#define GATHER_T u64
#include "gather_tmpl.h"

void hd_cpu_gather_apart(size_t element_bytes, const void *from, ptrdiff_t stride, size_t n,
                         void *to) {
  switch (element_bytes) {
  case 1: gather_u8(from, stride, n, to); return;
  case 2: gather_u16(from, stride, n, to); return;
  case 4: gather_u32(from, stride, n, to); return;
  default: gather_u64(from, stride, n, to); return;
  }
}
