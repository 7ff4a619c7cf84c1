/* kernels.h - the table of scan kernels that each ISA object exports (see scan.c)
 *
 * A scan kernel works on lanes of one of six types. Every element type is widened to one of them
 * without loss, or with the wrapping of the result. Types and operators thus need no kernel a pair.
 * Totals and carries are single lanes, passed through memory, at any alignment. */
#ifndef HEDDLE_CPU_SCAN_KERNELS_H
#define HEDDLE_CPU_SCAN_KERNELS_H

#include "order/numbers.h"
#include "order/types.h"

enum {
  HD_SCAN_LINE = 64,                    /* bytes that bypass the caches at once */
  HD_SCAN_MOST = HD_CHUNK(sizeof(u32)), /* lanes of the longest chunk */
  HD_SCAN_BLOCK_LINES = 16              /* lines of columns scanned at once */
};

enum hd_cpu_scan_lane {
  HD_SCAN_U32,
  HD_SCAN_U64,
  HD_SCAN_I32,
  HD_SCAN_I64,
  HD_SCAN_F32,
  HD_SCAN_F64,
  HD_SCAN_LANES
};

/* Output of a full chunk past the caches: `stage` holds the last `skip` bytes of earlier output, and the
 * chunk's is put behind them. All of it but the last `skip` bytes is then written to `line` and on.
 * line and stage are aligned to HD_SCAN_LINE. Meanwhile the chunk at `ahead` is fetched. */
struct hd_cpu_scan_nontemporal {
  char *line, *stage;
  size_t skip;
  const char *ahead;
};

/* Scans from elements of one type to results of that type: lanes, or what is made lanes on the way.
 * `behind` gets a full chunk's total (rule 2), from which the caller has what comes behind the chunk
 * (rules 3 and 4); where the order is independent, that itself, of any n. NaN is canonical. */
struct hd_cpu_scan_format {
  /* n <= chunk elements from *prefix on; out may be x. `behind` may be NULL, and is unless the chunk is
   * full or the order independent. The last result of a full chunk's inclusive scan is left to `last`. */
  void (*scan)(const void *x, void *out, size_t n, const void *prefix, void *behind,
               bool exclusive);
  /* The exclusive scan of a full chunk; NULL where the ISA cannot bypass the caches. */
  void (*past_caches)(const void *x, const struct hd_cpu_scan_nontemporal *to, const void *prefix,
                      void *behind);
  /* The carry as a result. */
  void (*last)(const void *carry, void *out);
};

/* Columns side by side: a line holds one lane of each. Lines from a block's first on of a chunk. */
struct hd_cpu_scan_lines {
  const char *x;
  char *out;                    /* may be x, but see bytes */
  ptrdiff_t x_pitch, out_pitch; /* bytes from line to line */
  size_t lines; /* 1 to HD_SCAN_BLOCK_LINES; fewer than that end the columns. Of an operator
                 * independent of the order any number */
  /* Of a line, a vector or more. If it is no multiple of one, its last vector laps over the one
   * before, and out is not x. */
  size_t bytes;
  u64 block; /* blocks of the chunk before this one */
  /* Vectors, aligned, pitch bytes from one to the next of a column, side by side as those of a line
   * are but without lapping: HD_SCAN_STATE_CARRY is what came before the lines and is then what is
   * behind them; the rest is the kernel's own. An operator bound by no order has no more. */
  char *state;
  size_t pitch;
  const char *next; /* laid out as the state: what is behind the last block of a full chunk */
  bool exclusive;
};
enum {
  HD_SCAN_STATE_CARRY,
  HD_SCAN_STATE_START,
  HD_SCAN_STATE_TOTALS,
  HD_SCAN_STATE_CARRIES = HD_SCAN_STATE_TOTALS + 8, /* a level of blocks each */
  HD_SCAN_STATES = HD_SCAN_STATE_CARRIES + 8
};
_Static_assert(HD_SCAN_MOST / HD_SCAN_BLOCK_LINES <= 1 << 7, "a chunk's blocks have 8 levels");

struct hd_cpu_scan_kernel {
  u32 lane_bytes;
  u32 chunk; /* lanes */
  u64 identity;
  bool independent; /* of the order: rules 2, 4 and 6 do not show in any result */
  /* *out = the total of a full chunk (rule 2) */
  void (*total)(const void *x, void *out);
  /* *acc = *acc op *right */
  void (*combine)(void *acc, const void *right);
  const struct hd_cpu_scan_format *lanes;
  /* n lanes, `step` bytes apart, from *carry on, which is then what is behind them; out is not x. NULL
   * unless the order is independent. */
  void (*strided)(const void *x, ptrdiff_t step, void *out, size_t n, void *carry, bool exclusive);
  /* x[i] = *left op x[i] */
  void (*apply)(const void *left, void *x, size_t n);
  u32 vector_bytes;
  /* The next lines of columns (rule 6). */
  void (*columns)(const struct hd_cpu_scan_lines *lines);
  /* Of a full block of lines: takes them into the lanes of rule 2, HD_ROW_BYTES / lane_bytes times
   * lines->pitch bytes laid out as the state; and the lanes' totals, left in the first. NULL where the
   * order is independent. */
  void (*fold_lines)(const struct hd_cpu_scan_lines *lines, char *lanes);
  void (*lanes_total)(char *lanes, size_t pitch);
  const char *name; /* "scan_sum_f32" */
};

/* n elements, mapped, made lanes; a float that is NaN becomes `nan`, a lane's bits. */
typedef void hd_cpu_scan_load(const void *in, void *lanes, size_t n, u64 nan);
/* n lanes made elements; a key that is no number's becomes `nan`, an f64's or f32's bits. The
 * lanes may be overwritten. */
typedef void hd_cpu_scan_store(void *lanes, void *out, size_t n, u64 nan);

struct hd_cpu_scan_kernels {
  const struct hd_cpu_scan_kernel *op[HD_SCAN_LANES][HD_OP_COUNT];
  hd_cpu_scan_load *const (*load[HD_MAP_COUNT])[HD_TYPE_COUNT]; /* [map][lane][type] */
  hd_cpu_scan_store *store[HD_SCAN_LANES][HD_TYPE_COUNT];
  /* f16 and bf16 in f32 lanes, of sums and products; NULL where conversions go through memory. */
  const struct hd_cpu_scan_format *narrow[HD_OP_COUNT][HD_TYPE_COUNT];
  /* Whole lines past the caches, aligned ones from anywhere, and the fence that ends it; NULL where
   * the ISA cannot. */
  void (*lines)(char *line, const char *stage, size_t bytes);
  void (*fence)(void);
};

#endif
