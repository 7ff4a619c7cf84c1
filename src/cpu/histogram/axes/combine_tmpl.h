/* combine_tmpl.h - bins of an axis into slots of a grid; included once an ISA
 *
 * Result  hist_axis, hist_axis_flow, hist_axis_end; see ../kernels.h.
 * Method  A point that is outside of an axis without flow gets the slot 2^32 - 1 and keeps it; the end brings it
 *         down to the last one. Slots of a grid are below 2^28, which are no negative numbers. */

static inline void hist_slots_to(u32 *slot, vu32 v) { memcpy(slot, &v, sizeof v); }

static bool hist_axis(u32 bins, u32 stride, const u32 *bin, size_t n, u32 *slot) {
  vu32 any = {0};
  u32 rest = 0;
  size_t i = 0;
  for (; i + LANES32 <= n; i += LANES32) {
    const vu32 b = load_u32_u32(bin + i), s = load_u32_u32(slot + i);
    const vu32 outside = (vu32)(b >= bins);
    any |= outside;
    hist_slots_to(slot + i, (s + b * stride) | outside | (vu32)((vi32)s >> 31));
  }
  for (; i < n; i++) {
    const u32 outside = bin[i] >= bins, lost = slot[i] == UINT32_MAX;
    rest |= outside;
    slot[i] = outside | lost ? UINT32_MAX : slot[i] + bin[i] * stride;
  }
  return rest || hist_any_i32((vi32)any);
}

/* Below: 0. The bins from 1 on. Above, or NaN: behind them. */
static bool hist_axis_flow(u32 bins, u32 stride, const u32 *bin, size_t n, u32 *slot) {
  const u32 last = bins + 1;
  vu32 any = {0};
  u32 rest = 0;
  size_t i = 0;
  for (; i + LANES32 <= n; i += LANES32) {
    const vu32 b = load_u32_u32(bin + i), s = load_u32_u32(slot + i);
    const vu32 below = (vu32)(b == bins + HD_SLOT_UNDER), behind = (vu32)(b > bins);
    any |= below | behind;
    hist_slots_to(slot + i, s + (((b + 1) & ~(below | behind)) | (behind & last)) * stride);
  }
  for (; i < n; i++) {
    const u32 b = bin[i], at = b < bins ? b + 1 : b == bins + HD_SLOT_UNDER ? 0 : last;
    rest |= b >= bins;
    slot[i] += at * stride;
  }
  return rest || hist_any_i32((vi32)any);
}

static void hist_axis_end(u32 last, u32 shift, size_t n, u32 *slot) {
  size_t i = 0;
  for (; i + LANES32 <= n; i += LANES32) {
    const vu32 s = load_u32_u32(slot + i);
    const vu32 lost = (vu32)(s > last);
    hist_slots_to(slot + i, ((s & ~lost) | (lost & last)) << shift);
  }
  for (; i < n; i++) slot[i] = (slot[i] < last ? slot[i] : last) << shift;
}
