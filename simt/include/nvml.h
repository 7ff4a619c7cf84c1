#error simt has no NVML (nvml.h)
