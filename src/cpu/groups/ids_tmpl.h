/* ids_tmpl.h - bad_T, run_T: ids of one unsigned type
 *
 * Parameter IDS_T */
#define IDS_NAME_(name, t) name##_##t
#define IDS_NAME__(name, t) IDS_NAME_(name, t)
#define IDS_NAME(name) IDS_NAME__(name, IDS_T)

static inline IDS_T IDS_NAME(id)(const void *ids, size_t i) {
  IDS_T id;
  memcpy(&id, (const char *)ids + i * sizeof id, sizeof id);
  return id;
}

static size_t IDS_NAME(bad)(const void *ids, u64 limit, size_t first, size_t n) {
  for (size_t done = 0, m; done < n; done += m) {
    IDS_T most = 0;
    m = n - done < BLOCK ? n - done : BLOCK;
    for (size_t i = 0; i < m; i++) {
      const IDS_T id = IDS_NAME(id)(ids, first + done + i);
      most = id > most ? id : most;
    }
    if (most < limit) continue;
    while (IDS_NAME(id)(ids, first + done) < limit) done++;
    return done;
  }
  return n;
}

/* Whether ids first .. first + n, of which the one before is `before` - 1, rise and are below the limit; offsets
 * of the groups that begin among them are filled, up to *next. Where ids do not rise, others may fill the same ones at
 * the same time; then nothing of it is used. */
static bool IDS_NAME(rises)(const void *ids, u64 limit, size_t first, size_t n, u64 *next,
                            u64 *offsets) {
  u64 id = *next;
  for (size_t i = first; i < first + n; i++) {
    const u64 now = IDS_NAME(id)(ids, i);
    if (now >= limit || now + 1 < id) return false;
    while (id <= now) __atomic_store_n(&offsets[id++], i, __ATOMIC_RELAXED);
  }
  *next = id;
  return true;
}

#undef IDS_NAME_
#undef IDS_NAME__
#undef IDS_NAME
#undef IDS_T
