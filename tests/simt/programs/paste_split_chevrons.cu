// As pasted from slides: split chevrons, T const*, file-scope __shared__, void __global__, prototypes, old headers.
// expect: pass
// clang-format off
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include <device_functions.h>
#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>

#define N (33*1024)
#define THREADS_PER_BLOCK 128

cudaError_t sumOnDevice(int *out, const int *left, const int *right, unsigned int count);
void __global__ Add( unsigned const int * a, unsigned const int * b, unsigned int * c );
__global__ void reverseBlock(int const * const in, int *out);
__device__ int square(int);

__shared__ int cache[THREADS_PER_BLOCK];

void __global__ Add( unsigned const int * a, unsigned const int * b, unsigned int * c )
{
	int thread_idx = (blockIdx.x * blockDim.x) + threadIdx.x;
	while( thread_idx < N )
	{
		c[ thread_idx ] = a[ thread_idx ] + b[ thread_idx ];
		thread_idx += blockDim.x * gridDim.x;
	}
}

template< typename T >
void __global__ Copy( T const* const input, T * const output, int const count )
{
	int const i = (blockIdx.x * blockDim.x) + threadIdx.x;
	if( i < count ) output[ i ] = input[ i ];
}

template< class T > T const* pick( T const * a, T const* b, bool first ) { return first ? a : b; }

__global__ void reverseBlock(int const * const in, int *out)
{
	cache[threadIdx.x] = square(in[threadIdx.x]);
	__syncthreads();
	out[threadIdx.x] = cache[blockDim.x - 1 - threadIdx.x];
}

__device__ int square(int v) { return v*v; }

int main()
{
    unsigned int *a = (unsigned int*)malloc(N*sizeof(int)), *b = (unsigned int*)malloc(N*sizeof(int)), *c = (unsigned int*)malloc(N*sizeof(int));
    unsigned int *dev_a, *dev_b, *dev_c; int bad = 0;
    for (unsigned int i = 0; i < N; i++) { a[i] = i; b[i] = i*i; }
    cudaMalloc( (void**) &dev_a, N*sizeof(int) ); cudaMalloc( (void**) &dev_b, N*sizeof(int) ); cudaMalloc( (void**) &dev_c, N*sizeof(int) );
    cudaMemcpy( dev_a, a, N*sizeof(int), cudaMemcpyHostToDevice );
    cudaMemcpy( dev_b, b, N*sizeof(int), cudaMemcpyHostToDevice );
    Add << < 128, THREADS_PER_BLOCK >> > ( dev_a, dev_b, dev_c );
    cudaMemcpy( c, dev_c, N*sizeof(int), cudaMemcpyDeviceToHost );
    printf("%u + %u = %u\n", a[N-1], b[N-1], c[N-1]);
    bad += c[N-1] != 1141865472u;
    dim3 dimGrid(1), dimBlock(THREADS_PER_BLOCK);
    reverseBlock << <dimGrid, dimBlock >> > ((int const*)dev_a, (int*)dev_c);
    cudaMemcpy( c, dev_c, THREADS_PER_BLOCK*sizeof(int), cudaMemcpyDeviceToHost );
    for (unsigned i = 0; i < THREADS_PER_BLOCK; i++) bad += c[i] != (127-i)*(127-i);
    Copy<unsigned int> <<<dimGrid, dimBlock>>>(pick(dev_b, dev_a, true), dev_c, THREADS_PER_BLOCK);
    Copy <unsigned> << <(N + 127) / 128, 128 >>>(dev_b, dev_c, N);
    cudaMemcpy( c, dev_c, N*sizeof(int), cudaMemcpyDeviceToHost );
    for (unsigned i = 0; i < N; i++) bad += c[i] != i*i;

    const int few = 6;
    const int x[few] = { 1, 1, 2, 3, 5, 8 };
    const int y[few] = { 9, 8, 7, 6, 5, 4 };
    int z[few] = { 0 };
    cudaError_t status = sumOnDevice(z, x, y, few);
    if (status != cudaSuccess) { fprintf(stderr, "sumOnDevice failed\n"); return 1; }
    printf("%d %d %d %d %d %d\n", z[0], z[1], z[2], z[3], z[4], z[5]);
    bad += z[5] != 12 || z[2] != 9;
    if (cudaDeviceReset() != cudaSuccess) { fprintf(stderr, "cudaDeviceReset failed!\n"); return 1; }
    printf(bad ? "FAILED\n" : "PASSED\n");
    return bad;
}

__global__ void sumKernel(int *out, const int *left, const int *right)
{
    int t = threadIdx.x;
    out[t] = left[t] + right[t];
}

// Everything that a first program does, with one way out.
cudaError_t sumOnDevice(int *out, const int *left, const int *right, unsigned int count)
{
    int *d[3] = { 0, 0, 0 };
    cudaError_t status = cudaSetDevice(0);
    if (status != cudaSuccess) {
        fprintf(stderr, "no device\n");
        goto leave;
    }
    for (int k = 0; k < 3; k++) {
        status = cudaMalloc((void**)&d[k], count * sizeof(int));
        if (status != cudaSuccess) goto leave;
    }
    status = cudaMemcpy(d[1], left, count * sizeof(int), cudaMemcpyHostToDevice);
    if (status != cudaSuccess) goto leave;
    status = cudaMemcpy(d[2], right, count * sizeof(int), cudaMemcpyHostToDevice);
    if (status != cudaSuccess) goto leave;

    sumKernel << <1, count >> >(d[0], d[1], d[2]);

    status = cudaGetLastError();
    if (status != cudaSuccess) {
        fprintf(stderr, "launch: %s\n", cudaGetErrorString(status));
        goto leave;
    }
    status = cudaDeviceSynchronize();
    if (status != cudaSuccess) {
        fprintf(stderr, "synchronise: error %d\n", status);
        goto leave;
    }
    status = cudaMemcpy(out, d[0], count * sizeof(int), cudaMemcpyDeviceToHost);
leave:
    for (int k = 0; k < 3; k++) cudaFree(d[k]);
    return status;
}
