/* Read by nvcc and by the host's compiler. */
#ifndef BODY_H
#define BODY_H
#include <cuda_runtime.h>
#include <vector_types.h>

#ifdef __CUDACC__
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

struct Body {
  float3 x, v;
  HOST_DEVICE Body moved(float dt) const {
    Body b = *this;
    b.x.x += dt * v.x;
    b.x.y += dt * v.y;
    b.x.z += dt * v.z;
    return b;
  }
};

void launch_advance(Body *device, int n, float dt, cudaStream_t stream);
#endif
