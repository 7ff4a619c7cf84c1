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

cudaError_t addWithCuda(int *c, const int *a, const int *b, unsigned int size);
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

    const int arraySize = 5;
    const int x[arraySize] = { 1, 2, 3, 4, 5 };
    const int y[arraySize] = { 10, 20, 30, 40, 50 };
    int z[arraySize] = { 0 };
    cudaError_t cudaStatus = addWithCuda(z, x, y, arraySize);
    if (cudaStatus != cudaSuccess) { fprintf(stderr, "addWithCuda failed!"); return 1; }
    printf("{1,2,3,4,5} + {10,20,30,40,50} = {%d,%d,%d,%d,%d}\n", z[0], z[1], z[2], z[3], z[4]);
    bad += z[4] != 55;
    cudaStatus = cudaDeviceReset();
    if (cudaStatus != cudaSuccess) { fprintf(stderr, "cudaDeviceReset failed!"); return 1; }
    printf(bad ? "FAILED\n" : "PASSED\n");
    return bad;
}

__global__ void addKernel(int *c, const int *a, const int *b)
{
    int i = threadIdx.x;
    c[i] = a[i] + b[i];
}

// Helper function for using CUDA to add vectors in parallel.
cudaError_t addWithCuda(int *c, const int *a, const int *b, unsigned int size)
{
    int *dev_a = 0;
    int *dev_b = 0;
    int *dev_c = 0;
    cudaError_t cudaStatus;

    cudaStatus = cudaSetDevice(0);
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "cudaSetDevice failed!");
        goto Error;
    }
    cudaStatus = cudaMalloc((void**)&dev_c, size * sizeof(int));
    if (cudaStatus != cudaSuccess) goto Error;
    cudaStatus = cudaMalloc((void**)&dev_a, size * sizeof(int));
    if (cudaStatus != cudaSuccess) goto Error;
    cudaStatus = cudaMalloc((void**)&dev_b, size * sizeof(int));
    if (cudaStatus != cudaSuccess) goto Error;
    cudaStatus = cudaMemcpy(dev_a, a, size * sizeof(int), cudaMemcpyHostToDevice);
    if (cudaStatus != cudaSuccess) goto Error;
    cudaStatus = cudaMemcpy(dev_b, b, size * sizeof(int), cudaMemcpyHostToDevice);
    if (cudaStatus != cudaSuccess) goto Error;

    addKernel<<<1, size>>>(dev_c, dev_a, dev_b);

    cudaStatus = cudaGetLastError();
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "addKernel launch failed: %s\n", cudaGetErrorString(cudaStatus));
        goto Error;
    }
    cudaStatus = cudaDeviceSynchronize();
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "cudaDeviceSynchronize returned error code %d after launching addKernel!\n", cudaStatus);
        goto Error;
    }
    cudaStatus = cudaMemcpy(c, dev_c, size * sizeof(int), cudaMemcpyDeviceToHost);
Error:
    cudaFree(dev_c);
    cudaFree(dev_a);
    cudaFree(dev_b);
    return cudaStatus;
}
