// Dot product of 33*1024 floats in the manner of a course: macro minimum, fixed grid, host finish, event timing.
// expect: pass, stdout "Does GPU value 2.57236e+13 = 2.57236e+13?"
// clang-format off
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define MINIMUM(p,q) (p<q?p:q)
#define UP_TO_SQUARES(n) (n*(n+1)*(2*n+1)/6)

static void verify( cudaError_t const status, const char *where, int line_no ) {
    if( status != cudaSuccess ) {
        printf( "line %d of %s: %s\n", line_no, where, cudaGetErrorString( status ) );
        exit( EXIT_FAILURE );
    }
}
#define VERIFY( expression ) (verify( expression, __FILE__, __LINE__ ))
#define NOT_NULL( pointer ) {if (pointer == NULL) {   \
    printf( "no host memory, line %d\n", __LINE__ );  \
    exit( EXIT_FAILURE ); }}

const int COUNT = 33 * 1024;
const int BLOCK_SIZE = 256;
const int GRID_SIZE = MINIMUM( 32, (COUNT + BLOCK_SIZE - 1) / BLOCK_SIZE );

__global__ void products( float *u, float *v, float *sums ) {
    __shared__ float part[BLOCK_SIZE];
    float mine = 0;
    for( int at = blockIdx.x * blockDim.x + threadIdx.x; at < COUNT; at += gridDim.x * blockDim.x )
        mine += u[at] * v[at];
    part[threadIdx.x] = mine;
    __syncthreads();
    for( int width = blockDim.x / 2; width != 0; width /= 2 ) {
        if( threadIdx.x < width )
            part[threadIdx.x] += part[threadIdx.x + width];
        __syncthreads();
    }
    if( threadIdx.x == 0 ) sums[blockIdx.x] = part[0];
}

int main( void ) {
    cudaEvent_t before, after;
    VERIFY( cudaEventCreate( &before ) );
    VERIFY( cudaEventCreate( &after ) );
    VERIFY( cudaEventRecord( before, 0 ) );
    float *u = (float*)malloc( COUNT * sizeof(float) ), *v = (float*)malloc( COUNT * sizeof(float) );
    float *sums = (float*)malloc( GRID_SIZE * sizeof(float) ), *d_u, *d_v, *d_sums, total = 0, ms;
    NOT_NULL( u );
    NOT_NULL( v );
    NOT_NULL( sums );
    for( int k = 0; k < COUNT; k++ ) { u[k] = k; v[k] = 2 * k; }
    VERIFY( cudaMalloc( (void**)&d_u, COUNT * sizeof(float) ) );
    VERIFY( cudaMalloc( (void**)&d_v, COUNT * sizeof(float) ) );
    VERIFY( cudaMalloc( (void**)&d_sums, GRID_SIZE * sizeof(float) ) );
    VERIFY( cudaMemcpy( d_u, u, COUNT * sizeof(float), cudaMemcpyHostToDevice ) );
    VERIFY( cudaMemcpy( d_v, v, COUNT * sizeof(float), cudaMemcpyHostToDevice ) );
    products<<<GRID_SIZE,BLOCK_SIZE>>>( d_u, d_v, d_sums );
    VERIFY( cudaMemcpy( sums, d_sums, GRID_SIZE * sizeof(float), cudaMemcpyDeviceToHost ) );
    for( int k = 0; k < GRID_SIZE; k++ ) total += sums[k];
    VERIFY( cudaEventRecord( after, 0 ) );
    VERIFY( cudaEventSynchronize( after ) );
    VERIFY( cudaEventElapsedTime( &ms, before, after ) );
    printf( "%.1f ms\n", ms );
    printf( "Does GPU value %.6g = %.6g?\n", total, 2 * UP_TO_SQUARES( (float)(COUNT - 1) ) );
    VERIFY( cudaEventDestroy( before ) );
    VERIFY( cudaEventDestroy( after ) );
    VERIFY( cudaFree( d_u ) );
    VERIFY( cudaFree( d_v ) );
    VERIFY( cudaFree( d_sums ) );
    free( u ); free( v ); free( sums );
    int const fine = fabs( total / 25723564731392.0 - 1 ) < 1e-6;
    puts( fine ? "PASSED" : "FAILED" );
    return !fine;
}
