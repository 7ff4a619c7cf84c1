/* Histogram 14: the library's sort, then its reductions by key
 *
 * Idea     rung 08 with what the library has: heddle_sort_pairs brings equal bytes together, and
 *          with them the position that each had; where a run of equal bytes ends is found by
 *          bisection; the runs are the rows of heddle_reduce_rows
 * Cost     a sort of n bytes with 4 bytes each, 256 bisections, and a read a value and reduction
 * Shows    the counts are the lengths of the runs, which rung 11 has without a sort.
 *          What the sort gives besides is any reduction of any value by key: here the least and
 *          the greatest position, that is, where each byte occurs first and last
 * Source   reduce by key as in Thrust; include/heddle.h
 *
 * //! title: the library's sort, reduced by key
 * //! expect: right
 * //! link: heddle
 */
#include "../common/ladder_bytes.h"
#include <heddle.h>

static void must(heddle_status status) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "%s: %s\n", heddle_status_name(status), heddle_message());
  exit(1);
}

struct runs {
  size_t count;                                   /* of different bytes */
  unsigned char key[BYTE_BINS];                   /* which, rising */
  uint64_t offset[BYTE_BINS + 1];                 /* where each run begins, and n */
  unsigned int first[BYTE_BINS], last[BYTE_BINS]; /* positions, of each run */
};

/* The first place from `begin` on where a sorted key is greater than that at `begin`. */
static size_t run_end(const unsigned char *keys, size_t begin, size_t n) {
  size_t low = begin, high = n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (keys[middle] == keys[begin])
      low = middle;
    else
      high = middle;
  }
  return high;
}

static void find_runs(struct runs *r, const unsigned char *keys, size_t n) {
  r->count = 0;
  for (size_t at = 0; at < n; at = run_end(keys, at, n)) {
    r->key[r->count] = keys[at];
    r->offset[r->count++] = at;
  }
  r->offset[r->count] = n;
}

static void reduce_by_key(heddle_context *context, struct runs *r, const unsigned int *values) {
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = r->offset;
  rows.segments = r->count;
  must(heddle_reduce_rows(context, HEDDLE_MIN, HEDDLE_U32, values, &rows, r->first, NULL));
  must(heddle_reduce_rows(context, HEDDLE_MAX, HEDDLE_U32, values, &rows, r->last, NULL));
}

/* First and last positions, by looking at every byte. */
static void verify_positions(const struct runs *r, const unsigned char *data, size_t n) {
  unsigned int first[BYTE_BINS], last[BYTE_BINS];
  for (size_t i = 0; i < n; ++i) last[data[i]] = (unsigned int)i;
  for (size_t i = n; i-- > 0;) first[data[i]] = (unsigned int)i;
  for (size_t k = 0; k < r->count; ++k) {
    ladder_same_u32("first", &r->first[k], &first[r->key[k]], 1);
    ladder_same_u32("last", &r->last[k], &last[r->key[k]], 1);
  }
  printf("byte %u of %zu different ones: first at %u, last at %u\n", r->key[0], r->count,
         r->first[0], r->last[0]);
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  static struct runs r;
  heddle_context *context = NULL;
  bytes_begin(argc, argv, __FILE__, &m);
  const size_t n = ladder.size;
  unsigned char *const keys = (unsigned char *)ladder_host_memory(n);
  unsigned int *const positions = (unsigned int *)ladder_host_memory(n * sizeof *positions);
  unsigned int *const sorted = (unsigned int *)ladder_host_memory(n * sizeof *sorted);
  for (size_t i = 0; i < n; ++i) positions[i] = (unsigned int)i;
  must(heddle_open(NULL, &context));
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    must(heddle_sort_pairs(context, HEDDLE_U8, m.data, sizeof *positions, positions, n, keys,
                           sorted, NULL));
    find_runs(&r, keys, n);
    reduce_by_key(context, &r, sorted);
    CHECK(ladder_stop());
  }
  memset(m.bins, 0, sizeof m.bins);
  for (size_t k = 0; k < r.count; ++k)
    m.bins[r.key[k]] = (unsigned int)(r.offset[k + 1] - r.offset[k]);
  bytes_verify(m.data, n, m.bins);
  verify_positions(&r, m.data, n);
  heddle_close(context);
  free(keys);
  free(positions);
  free(sorted);
  return bytes_end(&m);
}
