/* scalar.h - what every CPU has: 16-byte vectors by the compiler's own means */
#define VEC_BYTES 16
#define VEC_ISA "scalar"
#include "vec.h"

#include "histogram_generic.h"
#include "scan_generic.h"
