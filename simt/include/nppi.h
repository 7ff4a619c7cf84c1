#error simt has no NPP (nppi.h)
