/* count_tmpl.h - hd_cpu_count_T: one counter of COUNT_T a total */
#define COUNT_NAME_(t) hd_cpu_count_##t
#define COUNT_NAME(t) COUNT_NAME_(t)

void COUNT_NAME(COUNT_T)(const struct hd_cpu_histogram_kernels *kernels, COUNT_T *table, u32 *index,
                         size_t n) {
  u32 value;
  for (size_t count; (count = take_frequent(kernels, index, &n, &value)) != 0;)
    table[value] = (COUNT_T)(table[value] + count);
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    table[index[i + 0]]++;
    table[index[i + 1]]++;
    table[index[i + 2]]++;
    table[index[i + 3]]++;
    table[index[i + 4]]++;
    table[index[i + 5]]++;
    table[index[i + 6]]++;
    table[index[i + 7]]++;
  }
  for (; i < n; i++) table[index[i]]++;
}

#undef COUNT_NAME_
#undef COUNT_NAME
#undef COUNT_T
