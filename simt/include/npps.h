#error simt has no NPP (npps.h)
