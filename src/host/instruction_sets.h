/* instruction_sets.h - which instruction sets this processor and its system support */
#ifndef HEDDLE_HOST_INSTRUCTION_SETS_H
#define HEDDLE_HOST_INSTRUCTION_SETS_H

#include <stdbool.h>

static inline bool hd_has_scalar(void) { return true; }
bool hd_has_neon(void);   /* of 64-bit Arm, where it is never missing */
bool hd_has_avx2(void);   /* with FMA, F16C and BMI2 */
bool hd_has_avx512(void); /* F, BW, DQ, VL, CD, and all of hd_has_avx2 */

#endif
