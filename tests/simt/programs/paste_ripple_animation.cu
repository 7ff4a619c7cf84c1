// The ripple picture, a callback a frame and a clean-up at the end; single pixels are known.
// expect: pass
// clang-format off
#include "paste_pictures.hpp"
#include <math.h>

#define DIM 256

__global__ void ripple( unsigned char * out, int tick )
{
	int const px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	int const offset = py * gridDim.x * blockDim.x + px;
	float const dx = px - 0.5f * DIM, dy = py - 0.5f * DIM, r = sqrtf( dx*dx + dy*dy ) / 10.0f;
	unsigned char const g = (unsigned char)( 128.0f + 127.0f * cosf( r - tick / 7.0f ) / ( r + 1.0f ) );
	uchar4 const pixel = { g, g, g, 255 };
	*( (uchar4 *)out + offset ) = pixel;
}

struct Block { unsigned char * dev; Film * film; int centre[ 30 ], frames; };

static void frame( Block * b, int tick )
{
	ripple<<< dim3( DIM/16, DIM/16 ), dim3( 16, 16 ) >>>( b->dev, tick );
	MUST( cudaMemcpy( b->film->picture.bytes(), b->dev, b->film->picture.size(), cudaMemcpyDeviceToHost ) );
	b->centre[ tick ] = b->film->picture.at( DIM/2, DIM/2, 1 );
	b->frames += 1;
}

static void finish( Block * b ) { MUST( cudaFree( b->dev ) ); b->dev = NULL; }

int main( void )
{
	Block b;
	Film film( DIM, DIM, &b );
	b.film = &film;
	b.frames = 0;
	MUST( cudaMalloc( (void**)&b.dev, film.picture.size() ) );
	film.loop( (void (*)( void *, int ))frame, (void (*)( void * ))finish, 23 );
	printf( "centre %d .. %d\n", b.centre[ 0 ], b.centre[ 22 ] );
	// thread (3,5) of block (12,8) is pixel (195,133), offset 34243
	bool const fine = b.frames == 23 && b.centre[ 0 ] == 255 && b.centre[ 22 ] == 1 && b.dev == NULL
		&& film.picture.bytes()[ 4 * 34243 + 3 ] == 255
		&& film.picture.bytes()[ 4 * 34243 ] == film.picture.at( 195, 133, 2 );
	printf( "%s\n", fine ? "PASSED" : "FAILED" );
	return !fine;
}
