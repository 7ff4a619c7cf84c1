/* Atomic operations on a T of BITS bits, as -fsanitize=thread calls them: observed, then done. */
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define NAME(operation) JOIN(__tsan_atomic, BITS, operation)
/* What changes nothing is a read. */
#define UNLESS(same) ((same) ? LOADS : MODIFIES)
#define HERE(p) __atomic_load_n((const volatile T *)(p), __ATOMIC_RELAXED)
#define OBSERVE(p, what, order) ck_atomic(p, sizeof(T), what, order, PC, FRAME)

ENTRY T NAME(_load)(const volatile void *p, int order) {
  OBSERVE(p, LOADS, order);
  return __atomic_load_n((const volatile T *)p, __ATOMIC_SEQ_CST);
}
ENTRY void NAME(_store)(volatile void *p, T v, int order) {
  OBSERVE(p, STORES, order);
  __atomic_store_n((volatile T *)p, v, __ATOMIC_SEQ_CST);
}
ENTRY T NAME(_exchange)(volatile void *p, T v, int order) {
  OBSERVE(p, EXCHANGES, order);
  return __atomic_exchange_n((volatile T *)p, v, __ATOMIC_SEQ_CST);
}
ENTRY T NAME(_fetch_add)(volatile void *p, T v, int order) {
  OBSERVE(p, UNLESS(v == 0), order);
  return __atomic_fetch_add((volatile T *)p, v, __ATOMIC_SEQ_CST);
}
ENTRY T NAME(_fetch_sub)(volatile void *p, T v, int order) {
  OBSERVE(p, UNLESS(v == 0), order);
  return __atomic_fetch_sub((volatile T *)p, v, __ATOMIC_SEQ_CST);
}
ENTRY T NAME(_fetch_and)(volatile void *p, T v, int order) {
  OBSERVE(p, MODIFIES, order);
  return __atomic_fetch_and((volatile T *)p, v, __ATOMIC_SEQ_CST);
}
ENTRY T NAME(_fetch_or)(volatile void *p, T v, int order) {
  OBSERVE(p, UNLESS(v == 0), order);
  return __atomic_fetch_or((volatile T *)p, v, __ATOMIC_SEQ_CST);
}
ENTRY T NAME(_fetch_xor)(volatile void *p, T v, int order) {
  OBSERVE(p, UNLESS(v == 0), order);
  return __atomic_fetch_xor((volatile T *)p, v, __ATOMIC_SEQ_CST);
}
ENTRY T NAME(_fetch_nand)(volatile void *p, T v, int order) {
  OBSERVE(p, MODIFIES, order);
  return __atomic_fetch_nand((volatile T *)p, v, __ATOMIC_SEQ_CST);
}
ENTRY _Bool NAME(_compare_exchange_strong)(volatile void *p, void *expected, T v, int order,
                                           int failed) {
  if (failed != SIMT_OWN_LOOP) ck_check_guess(p, sizeof(T), expected);
  OBSERVE(p, UNLESS(HERE(p) != *(const T *)expected), order);
  return __atomic_compare_exchange_n((volatile T *)p, (T *)expected, v, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}
ENTRY _Bool NAME(_compare_exchange_weak)(volatile void *p, void *expected, T v, int order,
                                         int failed) {
  if (failed != SIMT_OWN_LOOP) ck_check_guess(p, sizeof(T), expected);
  OBSERVE(p, UNLESS(HERE(p) != *(const T *)expected), order);
  return __atomic_compare_exchange_n((volatile T *)p, (T *)expected, v, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

#undef T
#undef BITS
#undef NAME
#undef JOIN
#undef JOIN_
#undef OBSERVE
#undef UNLESS
#undef HERE
