#error simt has no cuFFT (cufftXt.h)
