/* chunked_tmpl.h - fill_I_E: rows of one element put into the chunks of their groups
 *
 * Parameters CHUNKED_I u32 or u64, of ids; CHUNKED_E u8 to u64, of elements' bits */
#define CHUNKED_NAME__(i, e) fill_##i##_##e
#define CHUNKED_NAME_(i, e) CHUNKED_NAME__(i, e)
#define CHUNKED_NAME CHUNKED_NAME_(CHUNKED_I, CHUNKED_E)

/* Row i goes to place next[id] of its group's chunk, which is `mask` + 1 long; whoever fills one has it folded by
 * `full`. */
static heddle_status CHUNKED_NAME(struct chunked_part *part, const char *ids, const char *in,
                                  size_t n) {
  const u32 mask = part->mask;
  const size_t pitch = part->pitch;
  u32 *next = part->next;
  char *chunks = part->chunks;
  for (size_t i = 0; i < n; i++) {
    CHUNKED_I id;
    CHUNKED_E x;
    memcpy(&id, ids + i * sizeof id, sizeof id);
    memcpy(&x, in + i * sizeof x, sizeof x);
    const u32 place = next[id] & mask;
    char *to = chunks + id * pitch + place * sizeof x;
    memcpy(to, &x, sizeof x);
    next[id]++;
    if (__builtin_expect(place == mask, 0)) HD_TRY(full(part, (size_t)id));
  }
  return HEDDLE_OK;
}

#undef CHUNKED_NAME__
#undef CHUNKED_NAME_
#undef CHUNKED_NAME
#undef CHUNKED_E
