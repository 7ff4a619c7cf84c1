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

#define SAFE_( call) {                                      \
    cudaError err = call;                                                    \
    if( cudaSuccess != err) {                                                \
        fprintf(stderr, "cuda: %s, line %i: %s\n",        \
                __FILE__, __LINE__, cudaGetErrorString( err) );              \
        exit(EXIT_FAILURE);                                                  \
    } }
#define SAFE( call)     SAFE_(call);
#define AFTER_KERNEL(errorMessage) {                                      \
    cudaError_t err = cudaGetLastError();                                    \
    if( cudaSuccess != err) {                                                \
        fprintf(stderr, "%s: %s, line %i: %s\n",    \
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

void run_test( int argc, char** argv);
extern "C" void gold_sums( float* reference, float* idata, const unsigned int w, const unsigned int h);

int main( int argc, char** argv)
{
    run_test( argc, argv);
    printf("PASSED\n");
    exit(EXIT_SUCCESS);
}

void run_test( int argc, char** argv)
{
    const unsigned int size_x = 256, size_y = 130;
    unsigned int bytes = sizeof( float) * size_x * size_y;
    float* h_in = (float*) malloc(bytes);
    float *h_out = (float*) malloc(sizeof(float) * size_y), *reference = (float*) malloc(sizeof(float) * size_y);
    srand(4711);
    for( unsigned int i = 0; i < (size_x * size_y); ++i)
        h_in[i] = (float) (rand() % 64);
    float* d_in; float* d_out;
    SAFE( cudaMalloc( (void**) &d_in, bytes));
    SAFE( cudaMalloc( (void**) &d_out, sizeof(float) * size_y));
    SAFE( cudaMemcpy( d_in, h_in, bytes, cudaMemcpyHostToDevice) );
    dim3 grid((size_y + BLOCK_DIM - 1) / BLOCK_DIM, 1, 1);
    dim3 threads(BLOCK_DIM, BLOCK_DIM, 1);
    rowSums<<< grid, threads, 0 >>>(d_in, d_out, size_x, size_y);
    AFTER_KERNEL("Kernel execution failed");
    SAFE( cudaMemcpy( h_out, d_out, sizeof(float) * size_y, cudaMemcpyDeviceToHost) );
    gold_sums( reference, h_in, size_x, size_y);
    if (memcmp(reference, h_out, sizeof(float) * size_y)) { printf("FAILED\n"); exit(1); }
    free(h_in); free(h_out); free(reference);
    SAFE(cudaFree(d_in));
    SAFE(cudaFree(d_out));
}

extern "C" void gold_sums( float* reference, float* idata, const unsigned int w, const unsigned int h)
{
    for (unsigned int y = 0; y < h; y++) {
        reference[y] = 0;
        for (unsigned int x = 0; x < w; x++) reference[y] += idata[y * w + x];
    }
}
