/* window.c - a sample tells the exponent: of device memory by a kernel, of the host's here */
#include "window.h"

#include "cuda/core/inside.h"
#include "order/convert.h"
#include "order/exact/fixed_sum.h"

enum { SAMPLE = 1024 };

static i32 exponent_of_host(heddle_type type, const void *weights, size_t count) {
  const size_t part = (count + SAMPLE - 1) / SAMPLE, bytes = heddle_type_size(type);
  f64 most = 0;
  for (size_t k = 0; k * part < count; k++) {
    const size_t at = k * part + (u32)(k * 2654435761u) % part; /* by no period */
    f64 weight;
    if (at >= count) break;
    hd_convert_one(type, (const char *)weights + at * bytes, HEDDLE_F64, &weight);
    if (weight < 0) weight = -weight;
    if (weight > most && weight - weight == 0) most = weight;
  }
  return hd_fixed_exponent(0, most);
}

void hd_cuda_window_set(struct hd_cuda_count *c, const struct hd_cuda_window *window) {
  c->args.exponent = window->on_device ? window->words : 0;
  c->args.exponent_given = window->given;
}

heddle_status hd_cuda_window_find(struct hd_cuda_count *c, const struct hd_cuda_operand *weights,
                                  size_t count, struct hd_cuda_window *window) {
  const bool first = !window->known && count;
  if (first) {
    window->known = true;
    window->on_device = weights->space == HD_SPACE_DEVICE;
    if (!window->on_device && !c->call->preparing)
      window->given = exponent_of_host(c->weights_type, weights->in, count);
  }
  hd_cuda_window_set(c, window);
  if (!first || !window->on_device) return HEDDLE_OK;
  const struct range_args sample = {.in = (cu_pointer)(uintptr_t)weights->in,
                                    .count = count,
                                    .words = window->range_words,
                                    .exponent = window->words,
                                    .sample = 1,
                                    .finish = 1};
  HD_TRY(hd_cuda_range_some(c->call, c->weights_type, HD_RANGE_MAGNITUDE, &sample));
  return window->whole ? hd_cuda_unit_try(c, &sample) : HEDDLE_OK;
}
