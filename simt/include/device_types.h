/* The rounding directions that CUDA names. */
#ifndef SIMT_DEVICE_TYPES_H
#define SIMT_DEVICE_TYPES_H

enum cudaRoundMode {
  cudaRoundNearest,
  cudaRoundZero,
  cudaRoundPosInf,
  cudaRoundMinInf,
};

#endif
