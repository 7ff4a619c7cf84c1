#error simt has no OpenGL interoperation (cuda_gl_interop.h)
