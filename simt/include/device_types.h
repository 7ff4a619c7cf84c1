/* The rounding directions that CUDA names. */
#ifndef SIMT_DEVICE_TYPES_H
#define SIMT_DEVICE_TYPES_H
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__
#endif

enum cudaRoundMode {
  cudaRoundNearest,
  cudaRoundZero,
  cudaRoundPosInf,
  cudaRoundMinInf,
};

#endif
