#error simt has no cuBLAS (cublas.h)
