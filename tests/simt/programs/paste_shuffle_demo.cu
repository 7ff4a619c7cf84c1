// A warp demonstration in the manner of course notes: votes and shuffles of 16 threads in groups of 8, one row a line.
// expect: pass, stdout "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", stdout "fffe fffe fffe", stdout "0 0 1 2 3 4 5 6 8 8 9 10 11 12 13 14"
// clang-format off
#include <cuda.h>
#include <cuda_runtime.h>
#include <device_functions.h>
#include <stdio.h>
#define FULL_MASK 0xffffffff

__global__ void row( int const what )
{
	int const tid = threadIdx.x;
	unsigned const mask1 = __ballot_sync( FULL_MASK, tid > 0 );
	switch( what )
	{
		case 0: printf( "%d ", tid ); break;
		case 1: printf( "%x ", mask1 ); break;
		case 2: printf( "%d ", __shfl_up_sync( FULL_MASK, tid, 1, 8 ) ); break;
		case 3: printf( "%d ", __shfl_xor_sync( FULL_MASK, tid, 3, 8 ) ); break;
		case 4: if( tid > 0 ) printf( "%d ", __all_sync( mask1, tid ) ); break;
	}
	if( tid == 15 ) printf( "\n" );
}

int main() {
	for( int i = 0; i < 5; ++i ) row<<<1, 16>>>( i );
	cudaError_t const e = cudaDeviceSynchronize();
	printf( e == cudaSuccess ? "PASSED\n" : "FAILED\n" );
	return e;
}
