/* Scan 09: steps, work, processors
 *
 * Idea     step complexity is the depth of a tree, work complexity its number of operations. On
 *          p processors a step of w operations takes ceil(w / p) rounds. Counted on reductions
 *          that pair neighbours, one launch a step
 * Cost     n elements: ceil(log2 n) steps, n - 1 adds
 * Shows    a tree of 3 levels and 6 operations: step 3, work 6. 2^10 elements: 10 steps, 512
 *          adds in the first. 2^20 elements on 512 processors: 2,056 rounds, within Brent's
 *          bound steps + (work - steps) / p = 2,068
 * Source   Brent, The Parallel Evaluation of General Arithmetic Expressions, 1974
 *
 * //! title: steps, work, and time on p processors
 * //! expect: right
 */
#include "measured.h"

__global__ void add_pairs(const unsigned int *in, size_t n, unsigned int *out) {
  const size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (2 * k >= n) return;
  unsigned int sum = in[2 * k];
  if (2 * k + 1 < n) {
    sum += in[2 * k + 1];
    LADDER_WORK(1);
  }
  out[k] = sum;
}

/* out and work take turns; the sum ends in out[0]. */
static void reduce(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  unsigned int *to = out;
  for (; n > 1; n = (n + 1) / 2) {
    const size_t pairs = (n + 1) / 2;
    add_pairs<<<scan_blocks(pairs), 256>>>(in, n, to);
    scan_step(to, pairs, 1, "sums:");
    in = to;
    to = to == out ? work : out;
  }
  if (in != out) CHECK(cudaMemcpy(out, in, sizeof *out, cudaMemcpyDeviceToDevice));
}

static struct measured measure_reduce(size_t n, unsigned long long processors) {
  struct scan s;
  unsigned int sum = 0, got;
  memset(&measured, 0, sizeof measured);
  measured_processors = processors;
  scan_open(&s, n);
  for (size_t i = 0; i < n; ++i) sum += s.host[i];
  scan_watcher = measured_watch;
  ladder_start();
  reduce(s.in, n, s.out, s.work);
  CHECK(ladder_stop());
  scan_watcher = NULL;
  scan_to_host(&got, s.out, 1);
  ladder_same_u32("sum", &got, &sum, 1);
  scan_close(&s);
  ladder.kernel.runs = 0;
  memset(ladder.counts, 0, sizeof ladder.counts);
  return measured;
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 20, 1 << 20, 4 * sizeof(unsigned int));
  struct measured m = measure_reduce(7, 1);
  printf("7 elements, a tree of 3 levels: step %llu, work %llu\n", m.steps, m.work);
  ladder_true(m.steps == 3 && m.work == 6, "7 elements: not 3 steps, 6 operations");
  m = measure_reduce(1 << 10, 512);
  printf("2^10 elements: %llu steps, %llu adds in the first\n", m.steps, m.first);
  ladder_true(m.steps == 10 && m.first == 512, "2^10 elements: not 10 steps, 512 in the first");
  const size_t n = ladder.size;
  const unsigned long long p = 512;
  m = measure_reduce(n, p);
  const unsigned long long over = m.work - m.steps, bound = m.steps + (over + p - 1) / p;
  printf("reduce %s on %llu: %s (Brent's bound %s)\n", ladder_grouped(n), p, ladder_grouped(m.time),
         ladder_grouped(bound));
  ladder_true(m.work == n - 1, "not n - 1 adds");
  ladder_true(m.time <= bound, "more rounds than Brent's bound");
  if (n == 1 << 20) ladder_true(m.time == 2056 && bound == 2068, "not 2,056 rounds within 2,068");
  ladder_key_count("rounds", m.time);
  ladder_key_count("bound", bound);
  return ladder_end();
}
