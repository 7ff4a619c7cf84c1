#error simt has no cuBLAS (cublas_v2.h)
