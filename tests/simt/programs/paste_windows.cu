// Windows-isms: _WIN32 branches, __declspec guards, getchar and system behind flags, cstdlib min and max, long names.
// expect: pass
// clang-format off
#ifdef _WIN32
#include <windows.h>
#define DLLEXPORT __declspec(dllexport)
#else
#include <sys/time.h>
#include <unistd.h>
#define DLLEXPORT
#endif
#ifndef __CUDACC__
#define __CUDACC__
#endif
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <algorithm>

#ifdef __INTELLISENSE__
#define KERNEL_ARG2(grid, block)
#define KERNEL_ARG3(grid, block, sh_mem)
void __syncthreads();
#else
#define KERNEL_ARG2(grid, block) <<< grid, block >>>
#define KERNEL_ARG3(grid, block, sh_mem) <<< grid, block, sh_mem >>>
#endif

#define MAX(a,b) (((a) > (b)) ? (a) : (b))
#ifndef max
#define max(a,b) (((a) > (b)) ? (a) : (b))
#define min(a,b) (((a) < (b)) ? (a) : (b))
#endif
typedef unsigned char BYTE;
typedef unsigned int UINT;

DLLEXPORT double GetTimeMs()
{
#ifdef _WIN32
	LARGE_INTEGER t, f; QueryPerformanceCounter(&t); QueryPerformanceFrequency(&f);
	return t.QuadPart * 1000.0 / f.QuadPart;
#else
	struct timeval tv;
	gettimeofday(&tv, NULL);
	return tv.tv_sec * 1000.0 + tv.tv_usec / 1000.0;
#endif
}

__global__ void Threshold(const BYTE* pSrc, BYTE* pDst, UINT nCount, BYTE nLevel)
{
	extern __shared__ BYTE sh[];
	UINT i = blockIdx.x * blockDim.x + threadIdx.x;
	sh[threadIdx.x] = i < nCount ? pSrc[i] : 0;
	__syncthreads();
	if (i < nCount) pDst[i] = max(sh[threadIdx.x], nLevel);
	if (i < nCount) pDst[i] = min((int)pDst[i], 200);
}

int main(int argc, char* argv[])
{
	const UINT nCount = 10000;
	BYTE* pHost = (BYTE*)malloc(nCount); BYTE *pSrc = nullptr, *pDst = nullptr;
	for (UINT i = 0; i < nCount; ++i) pHost[i] = (BYTE)i;
	cudaMalloc((void**)&pSrc, nCount); cudaMalloc((void**)&pDst, nCount);
	cudaMemcpy(pSrc, pHost, nCount, cudaMemcpyHostToDevice);
	double t0 = GetTimeMs();
	Threshold KERNEL_ARG3((nCount + 255) / 256, 256, 256) (pSrc, pDst, nCount, 100);
	cudaDeviceSynchronize();
	double t1 = GetTimeMs();
	cudaMemcpy(pHost, pDst, nCount, cudaMemcpyDeviceToHost);
	int bad = 0;
	for (UINT i = 0; i < nCount; ++i) { int v = max((int)(BYTE)i, 100); v = min(v, 200); bad += pHost[i] != v; }
	std::cout << (t1 - t0) << " ms" << std::endl << (bad ? "FAILED" : "PASSED") << std::endl;
#ifdef _WIN32
	system("pause");
#endif
  cudaFree(pSrc); cudaFree(pDst);
	return bad;
}
