#error simt has no cuDNN (cudnn.h)
