/* kth_tmpl.h - where the element is that a stable sort has at a rank, of elements of one type
 *
 * Parameters  NAME; T; IS_NUMBER(x), false for NaN; VALUE(x), numbers that compare as elements do, a NaN's above all;
 *             the first two undefined at the end
 * Result      `value` is the element of that rank. Of those that equal it, the one by whose position the rank
 *             is; all NaN are equal, and above all numbers */
static size_t NAME(const void *data, size_t count, const void *value, size_t rank) {
  const T *x = data;
  T wanted;
  size_t below = 0;
  memcpy(&wanted, value, sizeof wanted);
  const bool is_number = IS_NUMBER(wanted);
  if (is_number)
    for (size_t i = 0; i < count; i++) below += VALUE(x[i]) < VALUE(wanted);
  else
    for (size_t i = 0; i < count; i++) below += IS_NUMBER(x[i]);
  size_t left = rank - below;
  for (size_t i = 0; i < count; i++)
    if ((is_number ? VALUE(x[i]) == VALUE(wanted) : !IS_NUMBER(x[i])) && left-- == 0) return i;
  return count;
}
#undef NAME
#undef T
