#error simt has no OptiX (optix.h)
