#error simt has no NPP (npp.h)
