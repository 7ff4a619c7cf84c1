#error simt has no NPP (nppcore.h)
