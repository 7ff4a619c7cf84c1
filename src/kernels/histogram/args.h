/* args.h - what the host tells a histogram's kernels, the same text on both sides
 *
 * Addresses are u64. A slot is a bin, or bins + 0, 1, 2: below, above, NaN; a bucket of the result is
 * channel * slots + slot. docs/histogram.md has the proofs of how slots are found. */
#ifndef HEDDLE_KERNELS_HISTOGRAM_ARGS_H
#define HEDDLE_KERNELS_HISTOGRAM_ARGS_H

/* Strategies from an element to its slot: HEDDLE_STRATEGY. */
#define HD_STRATEGY_EVEN 1
#define HD_STRATEGY_BUCKETS \
  2 /* a table of buckets in shared memory, each of which may hold one edge */
#define HD_STRATEGY_SEARCH 3  /* the same buckets in global memory, searched between */
#define HD_STRATEGY_INTEGER 4 /* integer.h */
#define HD_STRATEGY_VALUES 5  /* 8-bit elements with weights: a table in global memory */
#define HD_STRATEGY_STEPS 6   /* steps.h */
#define HD_STRATEGY_MIXED 7   /* axes: each has one of its own, which its numbers tell */

/* Where counters are: HEDDLE_WHERE. */
#define HD_WHERE_SHARED 1 /* one set a block, added up at the end */
#define HD_WHERE_RANGES 2 /* the same, but a block counts only its range of counters */
#define HD_WHERE_GLOBAL 3 /* one set for all */
#define HD_WHERE_PARTS 4  /* elements are grouped by ranges first (parts.h) */
#define HD_WHERE_SLOTS 5  /* kernels/axes: of points slots are written alone */

/* What a launch knows of the weights' exponent (guess.h). */
#define HD_ATTEMPT_SURE 0  /* it is right */
#define HD_ATTEMPT_GUESS 1 /* it is a guess */
#define HD_ATTEMPT_AGAIN 2 /* it is right; there is nothing to do if the guess was, too */

/* Whether words of one unit may do (thin.h), which the device finds out: a.thin. */
#define HD_THIN_NEVER 0
#define HD_THIN_OURS 1    /* there is nothing to do if they do not */
#define HD_THIN_OTHERS 2  /* there is nothing to do if they do */
#define HD_THIN_COPIES 8  /* of what blocks add to in global memory */
#define HD_THIN_BIAS 2048 /* the fourth word of a.exponent is T + this, or 0: they do not */

/* Numbers that elements are compared with, in the type of HEDDLE_KEY. */
struct hist_keys_f32 {
  f32 first, last, origin, scale;
};
struct hist_keys_f64 {
  f64 first, last, origin, scale;
};

/* Edges in memory: some that nothing reaches follow the bins + 1, as far as find.h and steps.h look. */
#define HD_EDGES(bins, steps) ((bins) + 2 + (1u << (steps)))

struct hist_slots {
  u64 edges;   /* bins + 1 keys, each rounded up; HD_EDGES of them with a table of buckets */
  u64 buckets; /* u32 a bucket: the edges before it; one more at the end */
  struct hist_keys_f32 key_f32;
  struct hist_keys_f64 key_f64;
  u32 bins;
  /* HD_STRATEGY_EVEN: see bins/index.h; lift and limit are less by 2^fraction: they count from the
   * first inner edge. */
  u32 fraction, lift, doubt, limit;
  f64 step, from, half; /* HEDDLE_FORMULA: inner edge i is i * step + from - half, rounded */
  u32 formula;          /* HEDDLE_FORMULA */
  u32 place_last;       /* of the last bucket: what is within the edges may pass it */
  u32 place_bits;       /* the lower bits of a place lie within a bucket */
  u32 by_bits;          /* HEDDLE_BITS */
  u32 sure;             /* HEDDLE_SURE */
  u32 crowded; /* HD_STRATEGY_BUCKETS: there was no room to split all buckets that ought to be */
  u32 words;   /* HD_STRATEGY_BUCKETS: of the buckets' words and those of their parts; STEPS: of the
                * buckets' */
  i64 bits_origin; /* times bits_scale */
  u32 bits_scale, bits_shift;
  u32 skip;        /* HD_STRATEGY_INTEGER: these three */
  u64 least, most; /* as the type's bits, sign-extended */
};

struct hist_output {
  u64 counts; /* u64[channels * bins], or 0 */
  u64 extras; /* u64[channels * 3]: below, above, NaN; or 0 */
  u64 sums;   /* f64[channels * bins], or 0 */
  u64 result; /* a heddle_histogram_result each channel, or 0: size, seen, under, over, NaN, lo, hi */
  u64 seen;   /* elements of a channel */
  f64 lo, hi;
};

#define HD_RESULT_WORDS 7

struct hist_args {
  u64 in, weights;
  u64 count; /* elements of this launch */
  u32 first_channel;
  u32 slots; /* bins + 3 */
  u32 channels;
  u32 span;    /* counters of a block */
  u32 ranges;  /* HD_WHERE_RANGES: how many spans there are */
  u64 totals;  /* a bucket each; zero before the first launch */
  u64 amounts; /* 2 u64 a bucket: sums of weights, low and high; the same */
  u64 units;   /* 2 u64 a bucket: sums of weights' units (fixed.h), low and high; the same */
  u64 limbs; /* HEDDLE_EXACT: i64[limbs_count] a bucket, of which the first is limb first_limb; the same */
  u64 marks;    /* u32 a bucket: what NaN and infinite weights make of its sum; the same */
  u64 ticket;   /* u32 of finished blocks; the same */
  u64 exponent; /* i32 of the weights, or 0: exponent_given; 4 words with a guess */
  i32 exponent_given;
  u32 attempt; /* HD_ATTEMPT_: not SURE: all weights are those of one launch, or of launches of it */
  u32 rest_bits; /* by so many bits units are shifted against amounts */
  u32 reach;     /* of a guess: weights up to 2^(exponent + reach) are added; at most 13 */
  u32 thin;      /* HD_THIN_ */
  u32 first_limb, limbs_count;
  u64 thin_units; /* HD_THIN_COPIES times 2 u64 a bucket, zero before */
  u64 fault;
  u64 packed; /* HD_STRATEGY_BUCKETS, HD_STRATEGY_STEPS: the buckets' words (find.h, steps.h) */
  u32 narrow; /* 1: totals are u32, of which memory adds twice as many at a time; 0: u64 */
  u32 finish; /* 1: the last block writes the output, and clears totals and ticket */
  u32 keep;   /* 1: finishing leaves totals, amounts and marks as they are */
  struct hist_output out;
  struct hist_slots find;
};

/* Of range.cu. */
struct range_args {
  u64 in, count;
  u64 words;    /* 4 u64: see there; the last is the ticket */
  u64 range;    /* f64[3], or 0 */
  u64 exponent; /* i32, or 0; with `sample` 4 words, of which three become zero */
  u32 sample;   /* 1: one block sees a few elements from everywhere */
  u32 finish;
  i64 apart; /* HEDDLE_APART: neighbours are so many elements from each other */
};

#endif
