#error simt has no OpenGL interoperation (cudaGL.h)
