// One type's part of a shuffle rung: a kernel and its test. A textual template.
//
// Parameters, undefined at the end:
//   T       the type
//   NAME    its name in identifiers
//   SHIFT   random 64-bit numbers are shifted right by this, so that T holds them exactly
// Before the first inclusion the rung defines
//   SHUFFLE(value, k, width)            the function, all lanes taking part
//   source_of(lane, k, width)           the lane, in its group of `width`, that it reads from
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

__global__ void JOIN(shuffle, NAME)(const T *in, T *out) {
  const int t = (int)threadIdx.x;
  const T mine = in[t];
  int row = 0;
  LADDER_READ(sizeof(T) / 4);
  for (int width = 2; width <= 32; width *= 2) {
    for (int k = 0; k <= width; ++k, ++row) {
      LADDER_STEP();
      LADDER_WORK(1);
      out[row * SHUFFLE_THREADS + t] = SHUFFLE(mine, k, width);
      LADDER_WROTE(sizeof(T) / 4);
    }
  }
}

static void JOIN(test, NAME)(const char *name) {
  static T host[SHUFFLE_THREADS], got[SHUFFLE_ROWS * SHUFFLE_THREADS];
  T *in, *out;
  size_t wrong = 0, row = 0;
  for (int t = 0; t < SHUFFLE_THREADS; ++t) host[t] = (T)(ladder_random(11, (size_t)t) >> SHIFT);
  CHECK(cudaMalloc((void **)&in, sizeof host));
  CHECK(cudaMalloc((void **)&out, sizeof got));
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, sizeof got));
  ladder_start();
  JOIN(shuffle, NAME)<<<1, SHUFFLE_THREADS>>>(in, out);
  CHECK(ladder_stop());
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int width = 2; width <= 32; width *= 2) {
    for (int k = 0; k <= width; ++k, ++row) {
      for (int t = 0; t < SHUFFLE_THREADS; ++t) {
        const int from = t / 32 * 32 + source_of(t % 32, k, width);
        if (memcmp(&got[row * SHUFFLE_THREADS + (size_t)t], &host[from], sizeof(T)) == 0) continue;
        if (wrong++ == 0)
          ladder_wrong("%s, width %d, argument %d: thread %d has not thread %d's value", name,
                       width, k, t, from);
      }
    }
  }
  printf("%-18s widths 2 to 32: %d values, %zu wrong\n", name, SHUFFLE_ROWS * SHUFFLE_THREADS,
         wrong);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

#undef T
#undef NAME
#undef SHIFT
