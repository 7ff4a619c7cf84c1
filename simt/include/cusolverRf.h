#error simt has no cuSOLVER (cusolverRf.h)
