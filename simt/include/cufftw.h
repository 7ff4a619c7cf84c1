#error simt has no cuFFT (cufftw.h)
