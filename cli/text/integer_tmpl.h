/* integer_tmpl.h - the scanner of one integer type, included by number.c for each
 *
 * INTEGER_NAME   the function defined
 * INTEGER_TYPE   what it stores
 * INTEGER_BELOW  magnitude of the least value
 * INTEGER_ABOVE  the greatest value */

static const char *INTEGER_NAME(const char *text, void *out) {
  uint64_t magnitude;
  bool negative;
  const char *const end = scan_magnitude(text, &magnitude, &negative);
  if (!end || magnitude > (negative ? INTEGER_BELOW : INTEGER_ABOVE)) return NULL;
  const INTEGER_TYPE value = (INTEGER_TYPE)(negative ? 0 - magnitude : magnitude);
  memcpy(out, &value, sizeof value);
  return end;
}

#undef INTEGER_NAME
#undef INTEGER_TYPE
#undef INTEGER_BELOW
#undef INTEGER_ABOVE
