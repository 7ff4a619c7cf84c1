#error simt has no cuSOLVER (cusolverSp.h)
