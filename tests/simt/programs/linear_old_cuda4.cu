// Matrix sum in the style of 2010: SDK-like macros, unsigned timers, memcpy loops, __umul24 and __mul24 indexing.
// expect: pass
// clang-format off
/*
 * Written for compute capability 1.x and never touched since.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <cuda.h>

#define CUDA_SAFE_CALL_NO_SYNC( call) {                                      \
    cudaError err = call;                                                    \
    if( cudaSuccess != err) {                                                \
        fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n",        \
                __FILE__, __LINE__, cudaGetErrorString( err) );              \
        exit(EXIT_FAILURE);                                                  \
    } }
#define CUDA_SAFE_CALL( call)     CUDA_SAFE_CALL_NO_SYNC(call);
#define CUT_CHECK_ERROR(errorMessage) {                                      \
    cudaError_t err = cudaGetLastError();                                    \
    if( cudaSuccess != err) {                                                \
        fprintf(stderr, "Cuda error: %s in file '%s' in line %i : %s.\n",    \
                errorMessage, __FILE__, __LINE__, cudaGetErrorString( err) );\
        exit(EXIT_FAILURE);                                                  \
    } }
#define IMUL(a, b) __mul24(a, b)
#define BLOCK_DIM 16
#ifdef __DEVICE_EMULATION__
#define EMUSYNC __syncthreads()
#else
#define EMUSYNC
#endif

/* sum[row] of a matrix whose width is a multiple of BLOCK_DIM */
__global__ void rowSums(float* in, float* out, unsigned int width, unsigned int height)
{
	__shared__ float block[BLOCK_DIM][BLOCK_DIM+1];
	const unsigned int tid = IMUL(threadIdx.y, BLOCK_DIM) + threadIdx.x;
	unsigned int yIndex = IMUL(blockIdx.x, BLOCK_DIM) + threadIdx.y;
	float sum = 0;
	for (unsigned int base = 0; base < width; base += BLOCK_DIM) {
		if (yIndex < height)
			sum += in[__umul24(yIndex, width) + base + threadIdx.x];
	}
	block[threadIdx.y][threadIdx.x] = sum;
	EMUSYNC;
	__syncthreads();
	if (tid < BLOCK_DIM) {
		float s = 0;
		for (int i = 0; i < BLOCK_DIM; ++i) s += block[tid][i];
		yIndex = blockIdx.x * BLOCK_DIM + tid;
		if (yIndex < height) out[yIndex] = s;
	}
}

void runTest( int argc, char** argv);
extern "C" void computeGold( float* reference, float* idata, const unsigned int w, const unsigned int h);

int main( int argc, char** argv)
{
    runTest( argc, argv);
    printf("PASSED\n");
    exit(EXIT_SUCCESS);
}

void runTest( int argc, char** argv)
{
    const unsigned int size_x = 256, size_y = 130;
    unsigned int mem_size = sizeof( float) * size_x * size_y;
    float* h_idata = (float*) malloc(mem_size);
    float *h_odata = (float*) malloc(sizeof(float) * size_y), *reference = (float*) malloc(sizeof(float) * size_y);
    srand(15235911);
    for( unsigned int i = 0; i < (size_x * size_y); ++i)
        h_idata[i] = (float) (rand() % 64);
    float* d_idata; float* d_odata;
    CUDA_SAFE_CALL( cudaMalloc( (void**) &d_idata, mem_size));
    CUDA_SAFE_CALL( cudaMalloc( (void**) &d_odata, sizeof(float) * size_y));
    CUDA_SAFE_CALL( cudaMemcpy( d_idata, h_idata, mem_size, cudaMemcpyHostToDevice) );
    dim3 grid((size_y + BLOCK_DIM - 1) / BLOCK_DIM, 1, 1);
    dim3 threads(BLOCK_DIM, BLOCK_DIM, 1);
    rowSums<<< grid, threads, 0 >>>(d_idata, d_odata, size_x, size_y);
    CUT_CHECK_ERROR("Kernel execution failed");
    CUDA_SAFE_CALL( cudaMemcpy( h_odata, d_odata, sizeof(float) * size_y, cudaMemcpyDeviceToHost) );
    computeGold( reference, h_idata, size_x, size_y);
    if (memcmp(reference, h_odata, sizeof(float) * size_y)) { printf("FAILED\n"); exit(1); }
    free(h_idata); free(h_odata); free(reference);
    CUDA_SAFE_CALL(cudaFree(d_idata));
    CUDA_SAFE_CALL(cudaFree(d_odata));
}

extern "C" void computeGold( float* reference, float* idata, const unsigned int w, const unsigned int h)
{
    for (unsigned int y = 0; y < h; y++) {
        reference[y] = 0;
        for (unsigned int x = 0; x < w; x++) reference[y] += idata[y * w + x];
    }
}
