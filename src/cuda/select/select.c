/* select.c - select, partition and positions on a device
 *
 * Method   Arrays of the device are read once, in one launch (pass.c); a partition counts before. Arrays of the
 *          host: host.c. */
#include "select.h"
#include "host/status.h"

static const char *name_of_out(const struct hd_select *job) {
  return job->what == HD_SELECT_POSITIONS ? "index" : "out";
}

static heddle_status select_dense(const struct hd_cuda_select_job *job,
                                  const struct hd_cuda_select_operands *o, u64 count,
                                  u64 *selected) {
  struct hd_cuda_select_arrays arrays = {.of = (cu_pointer)(uintptr_t)o->of.at,
                                         .in = (cu_pointer)(uintptr_t)o->in.at,
                                         .out = (cu_pointer)(uintptr_t)o->out.at,
                                         .positions = (cu_pointer)(uintptr_t)o->positions.at,
                                         .count = count};
  HD_TRY(hd_cuda_output(job->call, "selected", selected, sizeof(u64), sizeof(u64), &arrays.total));
  return hd_cuda_select_dense(job, &arrays);
}

/* What CUDA C calls an element of the type; of halves, their value. */
static const char *name_of_type(heddle_type type) {
  switch (type) {
  case HEDDLE_U8: return "unsigned char";
  case HEDDLE_I8: return "signed char";
  case HEDDLE_U16: return "unsigned short";
  case HEDDLE_I16: return "short";
  case HEDDLE_U32: return "unsigned int";
  case HEDDLE_I32: return "int";
  case HEDDLE_U64: return "unsigned long long";
  case HEDDLE_I64: return "long long";
  case HEDDLE_F64: return "double";
  default: return "float";
  }
}

static heddle_status run(struct hd_cuda_call *call, const struct hd_select *s, const void *of,
                         const void *in, size_t count, void *out, u64 *selected) {
  const bool own = s->comparison == HEDDLE_PREDICATE;
  const bool positions = s->what == HD_SELECT_POSITIONS;
  const u32 bytes = out ? s->element_bytes : 0;
  const struct hd_cuda_select_job job = {.call = call,
                                         .test =
                                             hd_cuda_select_test(s->comparison, s->type, s->value),
                                         .key_bytes = (u32)heddle_type_size(s->type),
                                         .predicate = own ? s->predicate.cuda_source : NULL,
                                         .tested = own ? name_of_type(s->type) : NULL,
                                         .type = s->type,
                                         .is_float = hd_is_float(s->type),
                                         .value_bytes = positions ? 0 : bytes,
                                         .position_bytes = positions ? bytes : 0,
                                         .rest = s->what == HD_SELECT_PARTITION};
  struct hd_cuda_select_operands o = {
      .of = {.what = "where->of", .bytes = job.key_bytes},
      .in = {.what = "in", .bytes = job.value_bytes},
      .out = {.what = name_of_out(s), .bytes = job.value_bytes},
      .positions = {.what = name_of_out(s), .bytes = job.position_bytes}};
  bool host;
  u64 found = 0;
  o.of.at = (void *)(uintptr_t)of, o.in.at = (void *)(uintptr_t)in;
  o.out.at = positions ? NULL : out, o.positions.at = positions ? out : NULL;
  if (!count) return hd_cuda_select_tell(call, "selected", 0, selected);
  HD_TRY(hd_cuda_select_spaces(call, &o, count, false, &host));
  if (!host) return select_dense(&job, &o, count, selected);
  HD_TRY(hd_cuda_select_host(&job, &o, count, &found));
  return hd_cuda_select_tell(call, "selected", found, selected);
}

heddle_status hd_cuda_select(heddle_context *ctx, const struct hd_select *job, const void *of,
                             const void *in, size_t count, void *out, u64 *selected) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, job->entry, &call));
  return hd_cuda_leave(&call, run(&call, job, of, in, count, out, selected));
}
