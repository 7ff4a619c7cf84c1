/* choose.c - which way an array goes to its order statistics, as heddle_explain gives it
 *
 * Limits   what is asked of the elements themselves, whether they are in order or many are alike, is not known here */
#include "rank.h"

const struct hd_sort *hd_cpu_rank_sort_of(const struct hd_asked *asked) {
  return asked->call == HEDDLE_CALL_QUANTILES ? &asked->quantiles.sort : &asked->sort;
}

static struct hd_cpu_choice way(const char *strategy, const char *kernel, const char *file,
                                size_t threads) {
  return (struct hd_cpu_choice){
      .strategy = strategy, .kernel = kernel, .file = file, .threads = threads};
}

static struct hd_cpu_choice first_elements(heddle_context *ctx, const struct hd_asked *asked,
                                           const char *kernel, size_t n) {
  struct hd_cpu_sort_call sort;
  struct hd_cpu_choice choice;
  if (n <= HD_RANK_NEAR) return way("near", kernel, "cpu/rank/near.c", 1);
  if (asked->wanted <= n / HD_RANK_FIRST_PART)
    return way("collect", kernel, "cpu/rank/collect.c", hd_cpu_sort_workers(ctx, n));
  hd_cpu_sort_call_make(&sort, ctx, &asked->sort, n, false);
  hd_cpu_sort_choose(&sort, n, &choice);
  return choice;
}

void hd_cpu_rank_choose(heddle_context *ctx, const struct hd_asked *asked, size_t n,
                        struct hd_cpu_choice *choice) {
  const bool quantiles = asked->call == HEDDLE_CALL_QUANTILES;
  const struct hd_cpu_rank_set set = {NULL, n};
  const size_t workers = hd_cpu_sort_workers(ctx, n);
  struct hd_cpu_rank_call call;
  hd_cpu_rank_call_make(&call, ctx, hd_cpu_rank_sort_of(asked), n,
                        asked->call == HEDDLE_CALL_PARTIAL_SORT);
  const char *kernel = call.key_bytes == 8 ? "rank_u64" : "rank_u32";
  const size_t ranks =
      asked->wanted > HD_RANK_RANKS_MOST ? asked->wanted : asked->wanted * (quantiles ? 2 : 1);
  if (quantiles && asked->quantiles.weights_type != HEDDLE_TYPE_DEFAULT)
    *choice = way("weighed", kernel, "cpu/rank/weighted.c", workers);
  else if (asked->call == HEDDLE_CALL_PARTIAL_SORT)
    *choice = first_elements(ctx, asked, kernel, n);
  else if (n <= HD_RANK_NEAR)
    *choice = way("near", kernel, "cpu/rank/find.c", 1);
  else if (hd_cpu_rank_is_counted(&call, &set, ranks))
    *choice = way("counting", kernel, "cpu/rank/counts.c", workers);
  else if (ranks > HD_RANK_RANKS_MOST)
    *choice = way("sorted", kernel, "cpu/rank/find.c", workers);
  else
    *choice = way("read", kernel, "cpu/rank/read.c", workers);
}
