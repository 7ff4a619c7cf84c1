// The ripple picture, a callback a frame and a clean-up at the end; checked by single pixels.
// expect: pass
// clang-format off
#include "paste_common.hpp"
#include <math.h>
#define DIM 256

__global__ void kernel( unsigned char *ptr, int ticks ) {
    // map from threadIdx/BlockIdx to pixel position
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;

    float fx = x - DIM/2;
    float fy = y - DIM/2;
    float d = sqrtf( fx * fx + fy * fy );
    unsigned char grey = (unsigned char)(128.0f + 127.0f *
                                         cos(d/10.0f - ticks/7.0f) /
                                         (d/10.0f + 1.0f));
    ptr[offset*4 + 0] = grey;
    ptr[offset*4 + 1] = grey;
    ptr[offset*4 + 2] = grey;
    ptr[offset*4 + 3] = 255;
}

struct DataBlock {
    unsigned char   *dev_bitmap;
    Animation  *bitmap;
    int frames, centre[44];
};

void generate_frame( void *p, int ticks ) {
    DataBlock *d = (DataBlock*)p;
    dim3    blocks(DIM/16,DIM/16);
    dim3    threads(16,16);
    kernel<<<blocks,threads>>>( d->dev_bitmap, ticks );
    HANDLE_ERROR( cudaMemcpy( d->bitmap->get_ptr(), d->dev_bitmap, d->bitmap->image_size(), cudaMemcpyDeviceToHost ) );
    d->centre[ticks] = d->bitmap->get_ptr()[4 * (DIM/2 * DIM + DIM/2)];
    d->frames++;
}

// clean up memory allocated on the GPU
void cleanup( void *p ) { HANDLE_ERROR( cudaFree( ((DataBlock*)p)->dev_bitmap ) ); }

int main( void ) {
    DataBlock   data;
    Animation  bitmap( DIM, DIM, &data );
    data.bitmap = &bitmap;
    data.frames = 0;

    HANDLE_ERROR( cudaMalloc( (void**)&data.dev_bitmap, bitmap.image_size() ) );
    bitmap.anim_and_exit( (void (*)(void*,int))generate_frame, (void (*)(void*))cleanup, 23 );
    printf( "centre %d %d, alpha %d\n", data.centre[0], data.centre[22], bitmap.get_ptr()[34243 * 4 + 3] );
    int ok = data.frames == 23 && data.centre[0] == 255 && data.centre[22] == 1 && bitmap.get_ptr()[34243 * 4 + 3] == 255;
    printf( "%s\n", ok ? "PASSED" : "FAILED" );
    return !ok;
}
