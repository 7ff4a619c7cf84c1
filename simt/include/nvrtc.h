#error simt has no NVRTC (nvrtc.h)
