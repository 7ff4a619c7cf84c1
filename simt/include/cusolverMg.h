#error simt has no cuSOLVER (cusolverMg.h)
