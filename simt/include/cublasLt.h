#error simt has no cuBLAS (cublasLt.h)
