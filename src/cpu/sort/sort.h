/* sort.h - one call of a sort on a CPU: its items, its memory, and its parts */
#ifndef HEDDLE_CPU_SORT_SORT_H
#define HEDDLE_CPU_SORT_SORT_H

#include "cpu/cpu.h"
#include "kernels.h"

enum { HD_SORT_PIECES = 3 }; /* of memory that a call takes */

struct hd_cpu_sort_call {
  heddle_context *ctx;
  const struct hd_sort *sort;
  const struct hd_cpu_sort_kernels *kernels;
  const struct hd_cpu_sort_engine *engine; /* of its items */
  const struct hd_cpu_sort_engine *keys;   /* of keys as kernels->load gives them */
  struct hd_cpu_sort_io io;
  u64 mask, keys_mask; /* the bits that are sorted by: of an item's first word, of such a key */
  u32 exponent;        /* of a float's key in an item's first word: its first bit; else 64 */
  bool whole;          /* sorted by all bits of a key */
  bool weak;           /* items of equal keys are the same bits */
  size_t near_items;   /* that are sorted in a cache */
  struct hd_cancellation token;
  struct {
    void *memory;
    size_t bytes;
  } piece[HD_SORT_PIECES];
  size_t pieces, scratch_used;
};

/* ---- call.c: what a call needs ---------------------------------------------------------------- */

/* Everything but the pointers and steps of io, for arrays of at most `count` elements. `special`: a float's NaN and zeros of both signs have to be
 * told apart in the output. */
void hd_cpu_sort_call_make(struct hd_cpu_sort_call *call, heddle_context *ctx,
                           const struct hd_sort *sort, u64 count, bool special);
/* The same with the pointers and steps of arrays without gaps; looks for special floats where they matter. */
void hd_cpu_sort_call_start(struct hd_cpu_sort_call *call, heddle_context *ctx,
                            const struct hd_sort *sort, const struct hd_sort_arrays *arrays,
                            size_t count);
/* Memory aligned to 64 bytes, from the caller's scratch or the context; NULL with the message set. All
 * of it is given back by hd_cpu_sort_call_end. */
void *hd_cpu_sort_take(struct hd_cpu_sort_call *call, size_t bytes);
void hd_cpu_sort_call_end(struct hd_cpu_sort_call *call);
/* Memory that is about to be written in all places at once, and holds nothing yet: the system is asked for its pages
 * one after the other, with polls between. In a scatter the first few items would ask for all of them, and new pages
 * may take seconds together. */
heddle_status hd_cpu_sort_touch(struct hd_cpu_sort_call *call, void *memory, size_t bytes,
                                size_t workers);
/* The most bytes that sorting `count` elements at once takes; false if they are more than memory holds. */
bool hd_cpu_sort_bytes(const struct hd_cpu_sort_call *call, size_t count, size_t *bytes);

/* ---- near.c, partition.c, counting.c, places.c ---------------------------------------------------------- */

/* Elements of io's first n <= near_items, with room for n items at each of a and b. */
void hd_cpu_sort_near(const struct hd_cpu_sort_call *call, const struct hd_cpu_sort_io *io,
                      size_t n, void *a, void *b);
/* An array of any length, on the context's threads, whose lock is held. */
heddle_status hd_cpu_sort_far(struct hd_cpu_sort_call *call, size_t n);
/* Whether keys alone of a type of few values are counted rather than moved. */
bool hd_cpu_sort_is_counted(const struct hd_cpu_sort_call *call, size_t n);
heddle_status hd_cpu_sort_counted(struct hd_cpu_sort_call *call, size_t n);
/* Whether positions are put in place by counts of their keys (places.c). */
bool hd_cpu_sort_is_placed(const struct hd_cpu_sort_call *call, size_t n);
heddle_status hd_cpu_sort_placed(struct hd_cpu_sort_call *call, size_t n);
/* Bytes that counting takes on one thread. */
size_t hd_cpu_sort_counted_bytes(const struct hd_cpu_sort_call *call);

/* An array, by whichever of the four it is for. */
heddle_status hd_cpu_sort_array(struct hd_cpu_sort_call *call, size_t n);
/* Which one, and how many threads; of rows. */
void hd_cpu_sort_choose(const struct hd_cpu_sort_call *call, size_t n,
                        struct hd_cpu_choice *choice);
void hd_cpu_sort_rows_choose(heddle_context *ctx, const struct hd_sort *sort,
                             const heddle_rows *rows, struct hd_cpu_choice *choice);
/* Threads that n elements are worth. */
size_t hd_cpu_sort_workers(const heddle_context *ctx, size_t n);
/* Runs task(arg, i) for i < workers, on this thread alone if there is one. */
void hd_cpu_sort_run(heddle_context *ctx, size_t workers, heddle_task *task, void *arg);

#endif
