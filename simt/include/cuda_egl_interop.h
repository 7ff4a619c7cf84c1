#error simt has no EGL interoperation (cuda_egl_interop.h)
