// Chevrons split as some editors leave them; nvcc is stricter than the slides that show them.
// expect: pass
// nvcc: no
// clang-format off
#include <stdio.h>

__global__ void add( int *p, int v ) { atomicAdd( p, v ); }
template< class T, int N > __global__ void mul( T *p ) { *p *= N; }

int main()
{
	int *p, h = 0;
	dim3 g( 2 ), b( 4 );
	cudaMalloc( (void**) &p, sizeof( int ) );
	cudaMemset( p, 0, sizeof( int ) );
	add << <g, b> >> ( p, 1 );
	add <<< 1, 2 > >> ( p, 1 );
	mul<int, 3> << < 1, 1 > >> ( p );
	add << <dim3( 1 ), dim3( 1, 1 )> >>( p, 12 );
	cudaMemcpy( &h, p, sizeof h, cudaMemcpyDeviceToHost );
	printf( "%d\n%s\n", h, h == 42 ? "PASSED" : "FAILED" );
  cudaFree(p);
	return h != 42;
}
