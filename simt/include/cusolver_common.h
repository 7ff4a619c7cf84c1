#error simt has no cuSOLVER (cusolver_common.h)
