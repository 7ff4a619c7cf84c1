// An error-check class and macro with line, code, text and exit; a timer class; cudaError in exceptions.
// expect: pass
// clang-format off
#include <cuda_runtime.h>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

class CudaException : public std::runtime_error
{
    cudaError_t m_code;
    static std::string text(cudaError_t code, const char* expr, const char* file, int line)
    {
        std::stringstream ss;
        ss << file << "(" << line << "): " << expr << " -> " << cudaGetErrorName(code) << " (" << static_cast<int>(code) << "): " << cudaGetErrorString(code);
        return ss.str();
    }
public:
    CudaException(cudaError_t code, const char* expr, const char* file, int line)
        : std::runtime_error(text(code, expr, file, line)), m_code(code) {}
    cudaError_t code() const noexcept { return m_code; }
};

#define CUDA_TRY(expr)                                                     \
    do {                                                                   \
        const cudaError_t status__ = (expr);                               \
        if (cudaSuccess != status__) {                                     \
            cudaGetLastError();                                            \
            throw CudaException(status__, #expr, __FILE__, __LINE__);      \
        }                                                                  \
    } while (false)

#define CUDA_KERNEL_CHECK() CUDA_TRY(cudaPeekAtLastError()); CUDA_TRY(cudaDeviceSynchronize())

struct StopWatch
{
      cudaEvent_t begin_;
      cudaEvent_t end_;
      StopWatch() { cudaEventCreate(&begin_); cudaEventCreate(&end_); }
      ~StopWatch() { cudaEventDestroy(begin_); cudaEventDestroy(end_); }
      void Begin() { cudaEventRecord(begin_, 0); }
      void End() { cudaEventRecord(end_, 0); }
      float Milliseconds()
      {
            float ms;
            cudaEventSynchronize(end_);
            cudaEventElapsedTime(&ms, begin_, end_);
            return ms;
      }
};

__global__ void noop(int) {}

int main()
{
    int caught = 0;
    try {
        StopWatch timer;
        timer.Begin();
        noop<<<1, 1>>>(1);
        timer.End();
        CUDA_KERNEL_CHECK();
        std::cout << "ms " << (timer.Milliseconds() >= 0 ? "fine" : "negative") << "\n";
        noop<<<1, 2048>>>(1);
        CUDA_KERNEL_CHECK();
    } catch (const CudaException& e) {
        std::cout << e.what() << "\n";
        caught += e.code() == cudaErrorInvalidConfiguration || e.code() == cudaErrorInvalidValue;
    }
    try {
        void* p;
        CUDA_TRY(cudaMalloc(&p, ~size_t(0) / 2));
    } catch (const std::exception& e) {
        std::cout << e.what() << "\n";
        caught += std::string(e.what()).find("cudaErrorMemoryAllocation") != std::string::npos;
    }
    try { CUDA_TRY(cudaSetDevice(99)); } catch (CudaException& e) { caught += e.code() == cudaErrorInvalidDevice; }
    CUDA_TRY(cudaDeviceSynchronize());
    std::cout << (caught == 3 ? "PASSED" : "FAILED") << std::endl;
    return caught != 3;
}
