#error simt has no NVSHMEM (nvshmem.h)
