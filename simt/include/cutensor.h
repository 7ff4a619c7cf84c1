#error simt has no cuTENSOR (cutensor.h)
