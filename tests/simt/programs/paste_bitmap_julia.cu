// Julia set with a bitmap helper class that would open a window; here it sums and writes nothing.
// expect: pass
#include "paste_common.hpp"

#define DIM 200

struct cuComplex2 {
    float   r;
    float   i;
    __device__ __host__ cuComplex2( float a, float b ) : r(a), i(b)  {}
    __device__ __host__ float magnitude2( void ) {
        return r * r + i * i;
    }
    __device__ __host__ cuComplex2 operator*(const cuComplex2& a) {
        return cuComplex2(r*a.r - i*a.i, i*a.r + r*a.i);
    }
    __device__ __host__ cuComplex2 operator+(const cuComplex2& a) {
        return cuComplex2(r+a.r, i+a.i);
    }
};

__device__ __host__ int julia( int x, int y ) {
    const float scale = 1.5;
    float jx = scale * (float)(DIM/2 - x)/(DIM/2);
    float jy = scale * (float)(DIM/2 - y)/(DIM/2);

    cuComplex2 c(-0.8, 0.156);
    cuComplex2 a(jx, jy);

    int i = 0;
    for (i=0; i<200; i++) {
        a = a * a + c;
        if (a.magnitude2() > 1000)
            return 0;
    }
    return 1;
}

__global__ void kernel( unsigned char *ptr ) {
    int x = blockIdx.x;
    int y = blockIdx.y;
    int offset = x + y * gridDim.x;
    int juliaValue = julia( x, y );
    ptr[offset*4 + 0] = 255 * juliaValue;
    ptr[offset*4 + 1] = 0;
    ptr[offset*4 + 2] = 0;
    ptr[offset*4 + 3] = 255;
}

struct DataBlock {
    unsigned char   *dev_bitmap;
};

static int exits = 0;
static void cleanup( void *p ) { exits++; HANDLE_ERROR( cudaFree( ((DataBlock*)p)->dev_bitmap ) ); }

int main( void ) {
    DataBlock   data;
    PixelMap bitmap( DIM, DIM, &data );
    HANDLE_ERROR( cudaMalloc( (void**)&data.dev_bitmap, bitmap.image_size() ) );
    dim3    grid(DIM,DIM);
    kernel<<<grid,1>>>( data.dev_bitmap );
    HANDLE_ERROR( cudaMemcpy( bitmap.get_ptr(), data.dev_bitmap, bitmap.image_size(), cudaMemcpyDeviceToHost ) );
    int differ = 0, inside = 0;
    for (int y=0; y<DIM; y++)
        for (int x=0; x<DIM; x++) {
            unsigned char *p = bitmap.get_ptr() + 4*(x + y*DIM);
            inside += p[0] == 255;
            differ += p[0] != 255 * julia( x, y ) || p[3] != 255;
        }
    bitmap.display_and_exit( cleanup );
    printf( "%d inside, %d differ\n", inside, differ );
    // single pixels may differ by fused multiply-adds
    int ok = differ < 40 && inside > 50 && exits == 1;
    printf( ok ? "PASSED\n" : "FAILED\n" );
    return !ok;
}
