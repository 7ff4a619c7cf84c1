#error simt has no cuSPARSE (cusparse_v2.h)
