/* rising_tmpl.h - whether elements of one type rise: none is less than the one before it, and none is NaN
 *
 * Parameters  NAME; T, undefined at the end */
static bool NAME(const void *data, size_t count) {
  const T *x = data;
  bool rises = true;
  for (size_t i = 1; i < count; i++) rises &= x[i - 1] <= x[i];
  return rises;
}
#undef NAME
#undef T
