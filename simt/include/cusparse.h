#error simt has no cuSPARSE (cusparse.h)
