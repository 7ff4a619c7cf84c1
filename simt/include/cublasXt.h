#error simt has no cuBLAS (cublasXt.h)
