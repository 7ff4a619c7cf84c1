#error simt has no cuBLAS (cublas_api.h)
