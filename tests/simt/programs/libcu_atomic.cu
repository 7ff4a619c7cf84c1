// cuda::atomic, atomic_ref, semaphore and latch: counts, locks and flags.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

static int failures;

static void expect(double got, double want, const char *what) {
  if (got == want) return;
  ++failures;
  std::printf("wrong: %s is %.17g, not %.17g\n", what, got, want);
}

struct counters {
  cuda::atomic<int, cuda::thread_scope_device> add, low, high, bits, swapped;
  cuda::atomic<unsigned long long, cuda::thread_scope_system> wide;
  cuda::atomic<double, cuda::thread_scope_device> sum;
  cuda::std::atomic<unsigned> plain;
  float by_reference;
};

__global__ void count(counters *c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c->add.fetch_add(i, cuda::memory_order_relaxed);
  c->low.fetch_min(-i, cuda::std::memory_order_relaxed);
  c->high.fetch_max(i);
  c->bits.fetch_or(1 << i % 20);
  c->wide += 1ull << 34;
  c->sum.fetch_add(0.5);
  c->plain++;
  cuda::atomic_ref<float, cuda::thread_scope_device> ref(c->by_reference);
  ref.fetch_add(1.0f, cuda::memory_order_relaxed);
  int expected = c->swapped.load(cuda::memory_order_relaxed);
  while (!c->swapped.compare_exchange_weak(expected, expected + 3, cuda::memory_order_acq_rel,
                                           cuda::memory_order_relaxed)) {
  }
}

// A message from block 0 to the others: data first, then the flag.
__global__ void message(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *got) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    if (threadIdx.x == 0) flag->store(1, cuda::memory_order_release);
    return;
  }
  while (flag->load(cuda::memory_order_acquire) == 0) {
  }
  atomicAdd(got, data[threadIdx.x]);
}

// Within a block: every thread waits for its neighbour's number, the last one starts.
__global__ void relay(int *out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
  if (threadIdx.x == 0) turn.store(int(blockDim.x) - 1);
  __syncthreads();
  int now = turn.load();
  while (now != int(threadIdx.x)) {
    turn.wait(now);
    now = turn.load();
  }
  out[threadIdx.x] = now * 2;
  turn.store(now - 1);
  turn.notify_all();
}

__global__ void guarded(cuda::binary_semaphore<cuda::thread_scope_device> *s, int *count,
                        cuda::latch<cuda::thread_scope_device> *done, int *seen) {
  if (threadIdx.x % 32 == 0) {
    s->acquire();
    *(volatile int *)count = *(volatile int *)count + 1;
    s->release();
    done->arrive_and_wait();
    if (*(volatile int *)count == int(gridDim.x * blockDim.x / 32)) atomicAdd(seen, 1);
  }
}

__global__ void utilities(int *out) {
  cuda::std::array<int, 4> a = {1, 2, 3, 4};
  cuda::std::tuple<int, double> t(5, 0.5);
  int b = 7;
  cuda::std::swap(a[0], b);
  out[0] = a[0] + a[3] + cuda::std::get<0>(t) + b;
  out[1] = cuda::std::is_same<decltype(b), int>::value;
}

// What one thread alone can tell.
__global__ void alone(int *out) {
  cuda::atomic<int, cuda::thread_scope_thread> a(5);
  int expected = 4;
  out[0] = a.compare_exchange_strong(expected, 9);
  out[1] = expected;
  out[2] = a.compare_exchange_strong(expected, 9);
  out[3] = a.exchange(11) + a.load();
  cuda::counting_semaphore<cuda::thread_scope_thread, 3> s(2);
  out[4] = s.try_acquire() + 10 * s.try_acquire();
  out[5] = s.try_acquire();
  s.release();
  out[6] = s.try_acquire();
  cuda::latch<cuda::thread_scope_thread> l(2);
  l.count_down();
  out[7] = l.try_wait();
  l.count_down();
  out[8] = l.try_wait();
}

__global__ void start(cuda::binary_semaphore<cuda::thread_scope_device> *s,
                      cuda::latch<cuda::thread_scope_device> *l, int n) {
  new (s) cuda::binary_semaphore<cuda::thread_scope_device>(1);
  new (l) cuda::latch<cuda::thread_scope_device>(n);
}

int main() {
  counters *c;
  cudaMallocManaged(&c, sizeof *c);
  cudaMemset(c, 0, sizeof *c);
  const int n = 6 * 128;
  count<<<6, 128>>>(c);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status");
  expect(c->add.load(), n * (n - 1) / 2, "add");
  expect(c->low, 1 - n, "min");
  expect(c->high, n - 1, "max");
  expect(c->bits, 0xfffff, "or");
  expect(c->wide.load(), 17179869184.0 * n, "64 bits");
  expect(c->sum.load(), 0.5 * n, "double");
  expect(c->plain, n, "++");
  expect(c->by_reference, n, "atomic_ref");
  expect(c->swapped, 3 * n, "compare_exchange");

  int *m;
  cudaMallocManaged(&m, 256 * sizeof(int));
  for (int i = 0; i < 256; ++i) m[i] = 0;
  cuda::atomic<int, cuda::thread_scope_device> *flag = &c->add;
  flag->store(0);
  message<<<4, 64>>>(m, flag, m + 64);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status");
  expect(m[64], 3 * 3 * 64 * 63 / 2, "message");

  relay<<<1, 48>>>(m);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status");
  for (int i = 0; i < 48; ++i) expect(m[i], 2 * i, "relay");

  cuda::binary_semaphore<cuda::thread_scope_device> *s;
  cuda::latch<cuda::thread_scope_device> *l;
  cudaMalloc(&s, sizeof *s);
  cudaMalloc(&l, sizeof *l);
  start<<<1, 1>>>(s, l, 16);
  m[100] = m[101] = 0;
  guarded<<<4, 128>>>(s, m + 100, l, m + 101);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status");
  expect(m[100], 16, "semaphore");
  expect(m[101], 16, "latch");

  static const int alone_want[9] = {0, 5, 1, 20, 11, 0, 1, 0, 1};
  alone<<<1, 1>>>(m);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status");
  for (int i = 0; i < 9; ++i) expect(m[i], alone_want[i], "alone");

  utilities<<<1, 1>>>(m);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status");
  expect(m[0], 17, "cuda::std");
  expect(m[1], 1, "type traits");
  if (failures) return 1;
  std::printf("PASSED\n");
  cudaFree(c); cudaFree(m); cudaFree(s); cudaFree(l);
  return 0;
}
