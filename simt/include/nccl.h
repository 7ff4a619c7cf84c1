#error simt has no NCCL (nccl.h)
