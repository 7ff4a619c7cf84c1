/* select.c - select, partition and positions: which elements, and where they go */
#include "api/api.h"
#include "api/overlap.h"
#include "host/status.h"

/* ---- which ----------------------------------------------------------------------------------- */

static bool is_comparison(heddle_comparison comparison) {
  switch (comparison) {
  case HEDDLE_NONZERO:
  case HEDDLE_EQUAL:
  case HEDDLE_NOT_EQUAL:
  case HEDDLE_LESS:
  case HEDDLE_LESS_EQUAL:
  case HEDDLE_GREATER:
  case HEDDLE_GREATER_EQUAL:
  case HEDDLE_PREDICATE: return true;
  default: return false;
  }
}

/* The predicate, which has the form that the context's device asks for. */
static heddle_status take_predicate(const char *entry, const heddle_context *ctx,
                                    const heddle_predicate *given, heddle_predicate *out) {
  static const heddle_predicate defaults = HEDDLE_PREDICATE_INIT;
  if (!given)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `where->predicate` is NULL, but HEDDLE_PREDICATE asks it; give one", entry);
  HD_TRY(hd_check_size(entry, "where->predicate", given, sizeof *out));
  hd_copy_sized(out, given, &defaults, sizeof *out);
  const bool device = ctx->backend->device;
  if (device ? out->cuda_source != NULL : out->test != NULL) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 device
                     ? "%s: `where->predicate->cuda_source` is NULL; a GPU needs the test as "
                       "text, such as \"x > 3\""
                     : "%s: `where->predicate->test` is NULL; a CPU needs the test as a function",
                 entry);
}

heddle_status hd_select_job(const char *entry, const heddle_context *ctx, enum hd_select_what what,
                            const heddle_where *where, size_t element_bytes, struct hd_select *job,
                            const void **of) {
  static const heddle_where defaults = HEDDLE_WHERE_INIT;
  heddle_where known;
  HD_TRY(hd_check_size(entry, "where", where, sizeof known));
  hd_copy_sized(&known, where, &defaults, sizeof known);
  if (!is_comparison(known.comparison))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `where->comparison` %d is none; use HEDDLE_NONZERO to "
                   "HEDDLE_PREDICATE",
                   entry, (int)known.comparison);
  if (!hd_is_type(known.type))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `where->type` %d is not an element type; use HEDDLE_U8 to HEDDLE_F64",
                   entry, (int)known.type);
  *job = (struct hd_select){.entry = entry,
                            .what = what,
                            .comparison = known.comparison,
                            .type = known.type,
                            .element_bytes = (u32)element_bytes};
  *of = known.of;
  if (known.comparison == HEDDLE_NONZERO) return HEDDLE_OK;
  if (known.comparison == HEDDLE_PREDICATE)
    return take_predicate(entry, ctx, known.predicate, &job->predicate);
  if (!known.value)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `where->value` is NULL, but elements are compared with it; give one, or "
                   "HEDDLE_NONZERO",
                   entry);
  memcpy(&job->value, known.value, heddle_type_size(known.type));
  return HEDDLE_OK;
}

heddle_status hd_select_element(const char *entry, size_t element_bytes) {
  switch (element_bytes) {
  case 1:
  case 2:
  case 4:
  case 8:
  case 16: return HEDDLE_OK;
  default:
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `element_bytes` is %zu; elements have 1, 2, 4, 8 or 16 bytes: take wider "
                   "ones by heddle_positions",
                   entry, element_bytes);
  }
}

static heddle_status check_count(const char *entry, const u64 *selected) {
  if (selected) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `selected` is NULL; give it room for one count", entry);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* The output may be the input of a select. Then it may be `of`, too, if that is the input: what is written never
 * passes what was compared. */
static heddle_status check_overlap(const struct hd_select *job, const struct hd_span *of,
                                   const struct hd_span *in, const struct hd_span *out,
                                   const u64 *selected) {
  const struct hd_span count = {"selected", selected, sizeof *selected};
  const bool in_place = job->what == HD_SELECT_ELEMENTS && out->start == in->start;
  const bool of_too = in_place && of->start == in->start && of->bytes == in->bytes;
  HD_TRY(hd_check_apart(job->entry, &count, 1, (const struct hd_span[]){*of, *in, *out}, 3));
  if (!in_place) HD_TRY(hd_check_apart(job->entry, out, 1, in, 1));
  return of_too ? HEDDLE_OK : hd_check_apart(job->entry, out, 1, of, 1);
}

static heddle_status run(heddle_context *ctx, const struct hd_select *job, const void *of,
                         const void *in, size_t count, void *out, u64 *selected) {
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->select(ctx, job, of, in, count, out, selected);
  hd_float_leave(saved);
  return status;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static heddle_status select_elements(const char *entry, heddle_context *ctx,
                                     enum hd_select_what what, const heddle_where *where,
                                     size_t element_bytes, const void *in, size_t count, void *out,
                                     u64 *selected) {
  struct hd_select job;
  const void *of = NULL;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_select_element(entry, element_bytes));
  HD_TRY(hd_select_job(entry, ctx, what, where, element_bytes, &job, &of));
  const size_t of_bytes = heddle_type_size(job.type);
  HD_TRY(hd_check_array(entry, "where->of", of, count, of_bytes));
  HD_TRY(hd_check_array(entry, "in", in, count, element_bytes));
  HD_TRY(hd_check_array(entry, "out", out, count, element_bytes));
  HD_TRY(check_count(entry, selected));
  const struct hd_span of_span = {"where->of", of, count * of_bytes};
  const struct hd_span from = {"in", in, count * element_bytes};
  const struct hd_span to = {"out", out, count * element_bytes};
  HD_TRY(check_overlap(&job, &of_span, &from, &to, selected));
  return run(ctx, &job, of, in, count, out, selected);
}

heddle_status heddle_select(heddle_context *ctx, const heddle_where *where, size_t element_bytes,
                            const void *in, size_t count, void *out, uint64_t *selected) {
  return select_elements("heddle_select", ctx, HD_SELECT_ELEMENTS, where, element_bytes, in, count,
                         out, selected);
}

heddle_status heddle_partition(heddle_context *ctx, const heddle_where *where, size_t element_bytes,
                               const void *in, size_t count, void *out, uint64_t *selected) {
  return select_elements("heddle_partition", ctx, HD_SELECT_PARTITION, where, element_bytes, in,
                         count, out, selected);
}

/* Positions that nobody wants have no type. */
static heddle_status check_index(const char *entry, heddle_type index_type, const void *index,
                                 size_t count) {
  if (!index || index_type == HEDDLE_U64) return HEDDLE_OK;
  if (index_type != HEDDLE_U32)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `index_type` %d is neither HEDDLE_U32 nor HEDDLE_U64",
                   entry, (int)index_type);
  if ((u64)count <= (u64)1 << 32) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: positions of %zu elements do not fit HEDDLE_U32; give HEDDLE_U64", entry,
                 count);
}

heddle_status heddle_positions(heddle_context *ctx, const heddle_where *where, size_t count,
                               heddle_type index_type, void *index, uint64_t *selected) {
  const char *entry = "heddle_positions";
  struct hd_select job;
  const void *of = NULL;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(check_index(entry, index_type, index, count));
  const size_t index_bytes = index ? heddle_type_size(index_type) : sizeof(u64);
  HD_TRY(hd_select_job(entry, ctx, HD_SELECT_POSITIONS, where, index_bytes, &job, &of));
  const size_t of_bytes = heddle_type_size(job.type);
  HD_TRY(hd_check_array(entry, "where->of", of, count, of_bytes));
  if (index) HD_TRY(hd_check_array(entry, "index", index, count, index_bytes));
  HD_TRY(check_count(entry, selected));
  const struct hd_span of_span = {"where->of", of, count * of_bytes}, in = {"in", NULL, 0};
  const struct hd_span to = {"index", index, index ? count * index_bytes : 0};
  HD_TRY(check_overlap(&job, &of_span, &in, &to, selected));
  return run(ctx, &job, of, NULL, count, index, selected);
}
