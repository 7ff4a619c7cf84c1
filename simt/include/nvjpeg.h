#error simt has no nvJPEG (nvjpeg.h)
