/* choose.c - which strategy scans an array of a size
 *
 * Method   Strategies are the tests that scan.c makes on its way, in its order: the first line that
 *          takes the array. The kernel is plan.c's choice. */
#include "scan.h"

typedef const struct hd_cpu_scan_plan plan_t;

static bool is_custom(const heddle_context *ctx, plan_t *plan, size_t count) {
  return (void)ctx, (void)count, !plan->kernel;
}
static bool is_short(const heddle_context *ctx, plan_t *plan, size_t count) {
  return (void)ctx, hd_cpu_scan_is_short(plan, count);
}
static bool is_one_thread(const heddle_context *ctx, plan_t *plan, size_t count) {
  return hd_cpu_scan_is_one_thread(ctx, count / plan->chunk);
}
static bool is_any(const heddle_context *ctx, plan_t *plan, size_t count) {
  return (void)ctx, (void)plan, (void)count, true;
}

static const struct strategy {
  const char *name, *nontemporal; /* with non-temporal stores */
  bool parallel;
  bool (*takes)(const heddle_context *, plan_t *, size_t);
} table[] = {
    {"custom", "custom", false, is_custom},
    {"short_chunk", "short_chunk", false, is_short},
    {"one_thread", "one_thread_nontemporal", false, is_one_thread},
    {"chain", "chain_nontemporal", true, is_any},
};

struct hd_cpu_choice hd_cpu_scan_choice(const heddle_context *ctx, plan_t *plan, size_t count) {
  const struct strategy *line = table;
  const u64 chunks = count / plan->chunk;
  while (!line->takes(ctx, plan, count)) line++;
  const bool nontemporal = hd_cpu_scan_is_nontemporal(plan, chunks, true);
  return (struct hd_cpu_choice){nontemporal ? line->nontemporal : line->name,
                                plan->kernel ? plan->kernel->name : "custom",
                                plan->kernel ? "cpu/scan/op_tmpl.h" : "cpu/scan/custom.c",
                                line->parallel ? hd_cpu_scan_chain_workers(ctx, chunks) : 1};
}

heddle_status hd_cpu_scan_explain(heddle_context *ctx, const struct hd_scan *scan, size_t count,
                                  u32 align, heddle_plan *out) {
  struct hd_cpu_scan_plan plan;
  (void)align;
  hd_cpu_scan_make_plan(&plan, ctx->kernels, scan);
  const struct hd_cpu_choice choice = hd_cpu_scan_choice(ctx, &plan, count);
  return hd_cpu_explain(ctx, &choice, out);
}
