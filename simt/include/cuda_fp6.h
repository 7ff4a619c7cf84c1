#error simt has no 6-bit floating point (cuda_fp6.h)
