#error simt has no nvJitLink (nvJitLink.h)
