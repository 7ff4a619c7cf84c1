// A Julia set, a block a pixel, into a picture class whose window callback frees the device memory.
// expect: pass
// clang-format off
#include "paste_pictures.hpp"

const int SIDE = 180;

struct Z
{
	float re, im;
	__host__ __device__ Z( float r = 0, float i = 0 ) : re( r ), im( i ) {}
	__host__ __device__ float abs2() const { return re * re + im * im; }
};
__host__ __device__ Z operator + ( Z const & a, Z const & b ) { return Z( a.re + b.re, a.im + b.im ); }
__host__ __device__ Z operator * ( Z const & a, Z const & b )
{
	return Z( a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re );
}

__host__ __device__ bool stays( int px, int py )
{
	Z z( 1.4f * ( 2.0f * px / SIDE - 1 ), 1.4f * ( 2.0f * py / SIDE - 1 ) );
	Z const k( -0.79, 0.15 );
	for ( int n = 0; n != 150; ++n )
	{
		z = k + z * z;
		if ( z.abs2() > 900 ) return false;
	}
	return true;
}

__global__ void draw( unsigned char * rgba )
{
	unsigned char * const pixel = rgba + 4 * ( blockIdx.y * gridDim.x + blockIdx.x );
	pixel[ 0 ] = stays( blockIdx.x, blockIdx.y ) ? 255 : 0;
	pixel[ 1 ] = pixel[ 2 ] = 0;
	pixel[ 3 ] = 255;
}

struct State { unsigned char * device; int closed; };

static void window_closed( void * user )
{
	State * s = static_cast< State * >( user );
	MUST( cudaFree( s->device ) );
	++s->closed;
}

int main( int, char ** )
{
	State s = { NULL, 0 };
	Picture p( SIDE, SIDE );
	MUST( cudaMalloc( (void **)&s.device, p.size() ) );
	draw<<< dim3( SIDE, SIDE ), 1 >>>( s.device );
	MUST( cudaMemcpy( p.bytes(), s.device, p.size(), cudaMemcpyDeviceToHost ) );
	int inside = 0, differ = 0;
	for ( int y = 0; y < SIDE; ++y )
		for ( int x = 0; x < SIDE; ++x )
		{
			inside += p.at( x, y, 0 ) == 255;
			differ += ( p.at( x, y, 0 ) == 255 ) != stays( x, y ) || p.at( x, y, 3 ) != 255;
		}
	p.show( window_closed, &s );
	printf( "%d inside, %d differ\n", inside, differ );
	// fused multiply-adds may move single pixels
	bool const fine = inside > 20 && differ < SIDE && s.closed == 1;
	puts( fine ? "PASSED" : "FAILED" );
	return fine ? 0 : 1;
}
