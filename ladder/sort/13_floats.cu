/* Sort 13: floats as keys
 *
 * Idea     the bits of positive floats, as integers, are in the floats' order; those of negative
 *          ones in the reverse. Turn the sign bit of the former over and all bits of the latter:
 *          unsigned numbers in the order of the floats, which any radix sort takes. Afterwards
 *          back again
 * Cost     a step a key each way, in memory that the sort reads anyway; here two launches
 * Shows    -0 comes before +0, their bits differ. NaN are beyond infinity, those with the sign bit
 *          below minus infinity: 8,388,607 bit patterns at the lower end. Subtracting that number,
 *          modulo 2^32, turns the circle so that they follow the others at the upper end: every
 *          NaN is last, and keeps its bits. A comparison with < would not do: NaN is neither
 *          smaller nor greater, and a sort that relies on it loses the order of all the rest
 * Source   Knuth, Sorting and Searching, 5.2.5; Herf, Radix Tricks, 2001
 *
 * //! title: floats as keys: -0, NaN
 * //! expect: right
 */
#define LADDER_PARTS
#include "10_radix_match.cu"

#define INFINITE 0x7f800000u
#define NEGATIVE_NANS 0x007fffffu /* bit patterns below minus infinity's */

__host__ __device__ static unsigned int to_key(unsigned int bits) {
  return (bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u)) - NEGATIVE_NANS;
}
__host__ __device__ static unsigned int from_key(unsigned int key) {
  const unsigned int flipped = key + NEGATIVE_NANS;
  return flipped ^ (flipped >> 31 ? 0x80000000u : 0xffffffffu);
}

__global__ void make_keys(const unsigned int *bits, size_t n, unsigned int *keys) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  keys[i] = to_key(bits[i]);
  LADDER_READ(1);
  LADDER_WROTE(1);
}
__global__ void make_floats(unsigned int *keys, size_t n) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  keys[i] = from_key(keys[i]);
  LADDER_READ(1);
  LADDER_WROTE(1);
}

/* work: n keys, and behind them what rung 10 asks for */
static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  make_keys<<<sort_blocks(n, 256), 256>>>(in, n, work);
  radix_sort(work, n, out, work + n);
  make_floats<<<sort_blocks(n, 256), 256>>>(out, n);
}

/* ---- the host's order, by comparing values ------------------------------------------------- */

static float value_of(unsigned int bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static unsigned int bits_of(float value) {
  unsigned int bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static int is_nan(unsigned int bits) { return (bits & 0x7fffffffu) > INFINITE; }

/* Numbers by value, -0 before +0; then NaN, positive before negative, the least payload first
 * among positive ones and last among negative ones. */
static int compare_floats(const void *left, const void *right) {
  const unsigned int a = *(const unsigned int *)left, b = *(const unsigned int *)right;
  if (is_nan(a) != is_nan(b)) return is_nan(a) ? 1 : -1;
  if (!is_nan(a) && value_of(a) != value_of(b)) return value_of(a) < value_of(b) ? -1 : 1;
  if (a >> 31 != b >> 31) return (a >> 31 ? -1 : 1) * (is_nan(a) ? -1 : 1);
  if (!is_nan(a) || a == b) return 0;
  return ((a > b) == (a >> 31 == 0)) ? 1 : -1;
}

static void fill(unsigned int *bits, size_t n) {
  static const unsigned int special[] = {0x00000000u, 0x80000000u, INFINITE,    0xff800000u,
                                         0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xff800001u,
                                         0xffffffffu, 0x7fffffffu, 0x00000001u, 0x80000001u};
  for (size_t i = 0; i < n; ++i) { /* -1000 to 1000, and one of sixteen is special */
    const unsigned int kind = (unsigned int)(ladder_random(2, i) >> 40);
    bits[i] = bits_of((float)ladder_value(i, n, 1u << 24) / 8388.608f - 1000.0f);
    if (kind % 16 == 0) bits[i] = special[kind / 16 % 12];
  }
}

static void show_example(struct sort *s) {
  static const unsigned int mixed[8] = {0x40000000u, 0xffc00000u, 0x00000000u, 0xbf800000u,
                                        0x7fc00000u, 0x80000000u, 0xff800000u, INFINITE};
  memcpy(s->host, mixed, sizeof mixed);
  sort_to_device(s->in, s->host, 8);
  launch(s->in, 8, s->out, s->work);
  sort_to_host(s->got, s->out, 8);
  for (int i = 0; i < 8; ++i)
    printf("%s%g", i ? " " : "sorted: ", is_nan(s->got[i]) ? NAN : (double)value_of(s->got[i]));
  printf("\n");
}

int main(int argc, char **argv) {
  struct sort s;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 5 * sizeof(unsigned int));
  const size_t n = ladder.size, room = sort_at_least(n);
  sort_open(&s, room, 2 * room + 3 * DIGITS * sort_blocks(room, SORT_TILE) + 64);
  show_example(&s);
  fill(s.host, n);
  sort_to_device(s.in, s.host, n);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    launch(s.in, n, s.out, s.work);
    CHECK(ladder_stop());
  }
  sort_to_host(s.got, s.out, n);
  qsort(s.host, n, sizeof *s.host, compare_floats);
  ladder_same_u32("bits", s.got, s.host, n);
  size_t nans = 0;
  while (nans < n && is_nan(s.got[n - 1 - nans])) ++nans;
  printf("Sorted %zu, of these NaN: %zu, all of them last\n", n, nans);
  ladder_moves(2.0 * (double)n * sizeof(unsigned int));
  sort_close(&s);
  return ladder_end();
}
