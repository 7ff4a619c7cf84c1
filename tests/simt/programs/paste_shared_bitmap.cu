// The shared-memory picture with its barrier; green values and their sum are known.
// expect: pass
// clang-format off
#include "paste_common.hpp"
#include "math.h"

#define DIM 1024
#define PI 3.1415926535897932f

__global__ void kernel( unsigned char *ptr ) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;

    __shared__ float    shared[16][16];

    const float period = 128.0f;

    shared[threadIdx.x][threadIdx.y] =
            255 * (sinf(x*2.0f*PI/ period) + 1.0f) *
                  (sinf(y*2.0f*PI/ period) + 1.0f) / 4.0f;

    __syncthreads();

    ptr[offset*4 + 0] = 0;
    ptr[offset*4 + 1] = shared[15-threadIdx.x][15-threadIdx.y];
    ptr[offset*4 + 2] = 0;
    ptr[offset*4 + 3] = 255;
}

int main( void ) {
    PixelMap bitmap( DIM, DIM );
    unsigned char    *dev_bitmap;
    HANDLE_ERROR( cudaMalloc( (void**)&dev_bitmap, bitmap.image_size() ) );
    dim3    grids(DIM/16,DIM/16);
    dim3    threads(16,16);
    kernel<<<grids,threads>>>( dev_bitmap );
    HANDLE_ERROR( cudaMemcpy( bitmap.get_ptr(), dev_bitmap, bitmap.image_size(), cudaMemcpyDeviceToHost ) );
    HANDLE_ERROR( cudaFree( dev_bitmap ) );
    long sum = 0;
    for (int i=0; i<DIM*DIM; i++) sum += bitmap.get_ptr()[4*i + 1];
    int g00 = bitmap.get_ptr()[1], g15 = bitmap.get_ptr()[4*(15*DIM+15)+1], g47 = bitmap.get_ptr()[4*(47*DIM+47)+1];
    printf( "%d %d %d, sum %ld\n", g00, g15, g47, sum );
    bitmap.display_and_exit();
    long off = sum > 66360512 ? sum - 66360512 : 66360512 - sum;
    int ok = off < 64 && g00 == 178 && g15 == 63 && (g47 == 255 || g47 == 254);
    printf( ok ? "PASSED\n" : "FAILED\n" );
    return !ok;
}
