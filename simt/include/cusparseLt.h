#error simt has no cuSPARSE (cusparseLt.h)
