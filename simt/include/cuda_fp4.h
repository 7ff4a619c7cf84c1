#error simt has no 4-bit floating point (cuda_fp4.h)
