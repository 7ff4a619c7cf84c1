/* Device things that device.cu defines. */
#ifndef SHARED_H
#define SHARED_H
extern __device__ float device_table[4];
extern __device__ int counter_total;
__device__ float device_function(int i);
__global__ void set_table();

class Helper {
  int factor;

public:
  __device__ explicit Helper(int f);
  __device__ float scaled(int v) const;
};
#endif
