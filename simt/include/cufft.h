#error simt has no cuFFT (cufft.h)
