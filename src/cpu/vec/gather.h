/* gather.h - strided elements made neighbours, of 1, 2, 4 and 8 bytes: gather_u8 .. gather_u64
 *
 * void gather_T(x, step, n, to): to[e] = x[e * step], for a step of either sign. */
#define GATHER_T u8
#include "gather_tmpl.h"

#define GATHER_T u16
#include "gather_tmpl.h"

#define GATHER_T u32
#include "gather_tmpl.h"

#define GATHER_T u64
#include "gather_tmpl.h"
