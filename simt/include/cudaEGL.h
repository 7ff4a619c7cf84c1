#error simt has no EGL interoperation (cudaEGL.h)
