#error simt has no CUPTI (cupti.h)
