#error simt has no NPP (nppdefs.h)
