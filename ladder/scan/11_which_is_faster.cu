/* Scan 11: which is faster?
 *
 * Idea     three machines: as many processors as elements, fewer, one. Each method's operations
 *          are counted step by step by its own kernels; time is the sum over the steps of
 *          ceil(operations / processors)
 * Cost     serial n - 1; Hillis and Steele log2 n steps; Blelloch 2 log2 n steps over the next
 *          power of two
 * Shows    each method wins once: Hillis and Steele where steps decide, Blelloch where work
 *          decides, the loop on one processor
 * Source   the course's quiz; Hillis and Steele 1986; Blelloch 1990
 *
 * //! title: three machines, three winners
 * //! expect: right
 * //! size: fixed
 * //! watched: --small
 */
#include "measured.h"

#define LADDER_PARTS /* the methods of two rungs, without main */
#include "04_hillis_steele.cu"
#include "05_blelloch.cu"

typedef unsigned long long count;

static const struct machine {
  const char *name;
  count n, processors, serial, hillis_steele, blelloch;
  const char *least;
} machines[] = {
    {"512 on 512 processors", 512, 512, 511, 9, 18, "Hillis-Steele"},
    {"10^6 on 512", 1000000, 512, 999999, 37030, 4112, "Blelloch"},
    {"131,072 on 1", 131072, 1, 131071, 2097153, 262142, "serial"},
};

/* The loop's adds, counted as it runs: each needs the one before, whatever the machine. */
static count measure_serial(count n) {
  volatile unsigned int sum = ladder_value(0, n, 1u << 20);
  count adds = 0;
  for (count i = 1; i < n; ++i, ++adds) sum = sum + ladder_value(i, n, 1u << 20);
  return adds;
}

int main(int argc, char **argv) {
  char list[1024] = "[", item[256];
  ladder_begin(argc, argv, __FILE__, 1000000, 1000000, 4 * sizeof(unsigned int));
  if (ladder.sized) ladder_usage("--size: the three cases are fixed,", "512, 10^6 and 131,072");
  printf("case | serial | Hillis-Steele | Blelloch | least\n");
  for (int k = 0; k < 3; ++k) {
    const struct machine *const m = &machines[k];
    if (ladder.small_cases && m->n > 1000) continue;
    const count loop = measure_serial(m->n);
    const count steps = measure(SCAN_INCLUSIVE, hillis_steele, m->n, m->processors).time;
    const count tree = measure(SCAN_EXCLUSIVE, blelloch, m->n, m->processors).time;
    const char *least = loop < steps && loop < tree ? "serial"
                        : steps < tree              ? "Hillis-Steele"
                                                    : "Blelloch";
    printf("%s | %s | %s | %s | %s\n", m->name, ladder_grouped(loop), ladder_grouped(steps),
           ladder_grouped(tree), least);
    ladder_true(loop == m->serial && steps == m->hillis_steele && tree == m->blelloch,
                "the counts are not the expected ones");
    ladder_true(strcmp(least, m->least) == 0, "another method is the fastest");
    snprintf(item, sizeof item,
             "%s{\"n\":%llu,\"processors\":%llu,\"serial\":%llu,\"hillis-steele\":%llu,"
             "\"blelloch\":%llu,\"least\":\"%s\"}",
             strlen(list) > 1 ? "," : "", m->n, m->processors, loop, steps, tree, least);
    strncat(list, item, sizeof list - strlen(list) - 1);
  }
  strncat(list, "]", sizeof list - strlen(list) - 1);
  ladder_key_raw("cases", list);
  return ladder_end();
}
