// Kernel printf with many formats; the output itself is checked by the expectation below.
// expect: pass, stdout "d=-5 u=7 x=ff X=FF o=17 c=A %", stdout "ll=-9000000000 ull=18446744073709551615 z=48", stdout "f=3.50 e=1.250000e+03 g=0.0001 w=[   42][42   ][00042][+42]", stdout "s=text [  text] p=ok", stdout "prec=  3.142 star=[    7] ld=123456789012"
#include <cstdio>
#include <inttypes.h>

__global__ void formats(void *p) {
  printf("d=%d u=%u x=%x X=%X o=%o c=%c %%\n", -5, 7u, 255, 255, 15, 'A');
  printf("ll=%lld ull=%llu z=%zu\n", -9000000000LL, ~0ull, sizeof(double) * 6);
  printf("f=%.2f e=%e g=%g w=[%5d][%-5d][%05d][%+d]\n", 3.5f, 1250.0, 1e-4, 42, 42, 42, 42);
  printf("s=%s [%6s] p=%s\n", "text", "text", p ? "ok" : "null");
  printf("prec=%7.3f star=[%*d] ld=%ld\n", 3.14159, 5, 7, 123456789012L);
}

__global__ void hello() {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    printf("Hello from block %d, thread (%d,%d,%d)\n", blockIdx.x, threadIdx.x, threadIdx.y,
           threadIdx.z);
  int n = printf("");
  if (n < 0) printf("bad\n");
}

int main() {
  formats<<<1, 1>>>(stdout);
  hello<<<2, dim3(4, 1, 1)>>>();
  cudaDeviceSynchronize();
  fflush(stdout);
  int64_t v = 5;
  printf("host %" PRId64 "\nPASSED\n", v);
  return 0;
}
