#error simt has no cuFile (cufile.h)
