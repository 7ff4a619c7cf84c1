#error simt has no cuSOLVER (cusolverDn.h)
