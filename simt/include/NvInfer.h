#error simt has no TensorRT (NvInfer.h)
