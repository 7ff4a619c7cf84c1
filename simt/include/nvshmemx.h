#error simt has no NVSHMEM (nvshmemx.h)
