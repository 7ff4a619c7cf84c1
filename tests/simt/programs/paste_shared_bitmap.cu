// The shared-memory picture with its barrier; green values and their sum are known.
// expect: pass
// clang-format off
#include "paste_pictures.hpp"
#include "math.h"

#define SIDE 1024
#define TILE 16

__device__ float bump( int v ) { return sinf( v * 2.0f * 3.1415926535897932f / 128.0f ) + 1.0f; }

__global__ void paint( unsigned char * rgba )
{
	__shared__ float tile[ TILE ][ TILE ];
	int const i = threadIdx.x, j = threadIdx.y;
	int const px = i + blockIdx.x * TILE, py = j + blockIdx.y * TILE;
	tile[ i ][ j ] = 255 * bump( px ) * bump( py ) / 4.0f;
	__syncthreads();	// each thread reads what the opposite one wrote
	unsigned char * const out = rgba + 4 * ( px + py * SIDE );
	out[ 0 ] = out[ 2 ] = 0;
	out[ 1 ] = tile[ TILE - 1 - i ][ TILE - 1 - j ];
	out[ 3 ] = 255;
}

int main( void )
{
	Picture p( SIDE, SIDE );
	unsigned char * dev;
	MUST( cudaMalloc( (void**)&dev, p.size() ) );
	paint<<< dim3( SIDE / TILE, SIDE / TILE ), dim3( TILE, TILE ) >>>( dev );
	MUST( cudaMemcpy( p.bytes(), dev, p.size(), cudaMemcpyDeviceToHost ) );
	MUST( cudaFree( dev ) );
	p.show( NULL, NULL );
	long const green = p.sum( 1 );
	printf( "%d %d %d, sum %ld\n", p.at( 0, 0, 1 ), p.at( 15, 15, 1 ), p.at( 47, 47, 1 ), green );
	bool const fine = labs( green - 66360512 ) < 64 && p.at( 0, 0, 1 ) == 178 && p.at( 15, 15, 1 ) == 63
		&& p.at( 47, 47, 1 ) >= 254 && p.sum( 3 ) == 255L * SIDE * SIDE;
	printf( fine ? "PASSED\n" : "FAILED\n" );
	return !fine;
}
