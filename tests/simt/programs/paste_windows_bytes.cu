// A file from a Windows editor: byte-order mark, carriage returns, Latin-1 and GBK in comments, continued macros.
// expect: pass
// clang-format off
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include <stdio.h>
/* Gr鲞e des Feldes; 数组大小 */
#define SIZE 64
#define CHECK(call)                                          \
	do {                                                 \
		cudaError_t e = (call);                      \
		if (e != cudaSuccess) {                      \
			printf("%s\n", cudaGetErrorString(e)); \
			return 1;                            \
		}                                            \
	} while (0)

__global__ void Verdoppeln(int *feld, int n) // f黵 jeden Faden ein Element 
{
	const int i = threadIdx.x;
	if (i < n) feld[i] *= 2;
}

int main()
{
	int a[SIZE], *d = 0, bad = 0;
	for (int i = 0; i < SIZE; ++i) a[i] = i;
	CHECK(cudaMalloc((void**)&d, sizeof(a)));
	CHECK(cudaMemcpy(d, a, sizeof(a), cudaMemcpyHostToDevice));
	Verdoppeln << <1, SIZE >> > (d, SIZE);
	CHECK(cudaMemcpy(a, d, sizeof(a), cudaMemcpyDeviceToHost));
	for (int i = 0; i < SIZE; ++i) bad += a[i] != 2 * i;
	printf("%d\n%s\n", bad, bad ? "FAILED" : "PASSED");
	CHECK(cudaFree(d));
	return bad;
}
