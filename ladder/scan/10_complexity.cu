/* Scan 10: complexity, measured
 *
 * Idea     rungs 03, 04, 05 and 06 over n = 2^3 .. --size elements; their own kernels count
 *          steps and adds, and the counts are compared with the formulas
 * Cost     one reduction an output  log2 n steps    n (n - 1) / 2 adds, up to n = 2^12
 *          Hillis and Steele        log2 n steps    n log2 n - n + 1
 *          Blelloch                 2 log2 n steps  2 (n - 1)
 *          hybrid on 512            between the last two (rung 06)
 * Shows    the formulas are exact. A line a method and length; with --json a list of them under
 *          "complexity", from which heddle-ladder draws the curves
 * Source   Hillis and Steele 1986; Blelloch 1990
 *
 * //! title: steps and work, 2^3 to 2^16, and formulas
 * //! expect: right
 * //! watched: --size 2K
 */
#include "measured.h"

#define LADDER_PARTS /* the methods of four rungs, without main */
#include "03_one_reduction_an_output.cu"
#include "06_hybrid.cu"

typedef unsigned long long count;

static count steps_log(count n, count log) { return (void)n, log; }
static count steps_twice(count n, count log) { return (void)n, 2 * log; }
static count steps_hybrid(count n, count log) { return (void)n, log <= 9 ? log : 2 * log - 9; }
static count work_reductions(count n, count log) { return (void)log, n * (n - 1) / 2; }
static count work_hillis_steele(count n, count log) { return n * log - n + 1; }
static count work_blelloch(count n, count log) { return (void)log, 2 * (n - 1); }
static count work_hybrid(count n, count log) {
  const count m = n < PROCESSORS ? n : (count)PROCESSORS, log_m = log < 9 ? log : 9;
  return 2 * (n - m) + work_hillis_steele(m, log_m);
}

static const struct method {
  const char *name;
  scan_launch *launch;
  enum scan_kind kind;
  count most;
  count (*steps)(count n, count log);
  count (*work)(count n, count log);
} methods[] = {
    {"reductions", one_reduction_an_output, SCAN_INCLUSIVE, 1 << 12, steps_log, work_reductions},
    {"hillis-steele", hillis_steele, SCAN_INCLUSIVE, (count)-1, steps_log, work_hillis_steele},
    {"blelloch", blelloch, SCAN_EXCLUSIVE, (count)-1, steps_twice, work_blelloch},
    {"hybrid", hybrid, SCAN_EXCLUSIVE, (count)-1, steps_hybrid, work_hybrid},
};

static void tell(const struct method *method, count n, count log, const char *comma) {
  char text[256];
  const struct measured m = measure(method->kind, method->launch, n, 512);
  const count steps = method->steps(n, log), work = method->work(n, log);
  printf("method=%s n=%llu steps=%llu work=%llu steps_formula=%llu work_formula=%llu", method->name,
         n, m.steps, m.work, steps, work);
  snprintf(text, sizeof text,
           "%s{\"method\":\"%s\",\"n\":%llu,\"steps\":%llu,\"work\":%llu,\"steps_formula\":%llu,"
           "\"work_formula\":%llu",
           comma, method->name, n, m.steps, m.work, steps, work);
  ladder_append(text);
  if (method->launch != one_reduction_an_output) { /* all its steps are in one kernel */
    printf(" time_512=%llu", m.time);
    snprintf(text, sizeof text, ",\"time_512\":%llu", m.time);
    ladder_append(text);
  }
  printf("\n");
  ladder_append("}");
  if (m.steps != steps || m.work != work)
    ladder_wrong("%s, n = %llu: %llu steps and %llu adds, by the formula %llu and %llu",
                 method->name, n, m.steps, m.work, steps, work);
}

int main(int argc, char **argv) {
  const char *comma = "";
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 16, 4 * sizeof(unsigned int));
  ladder_append(",\"complexity\":[");
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; ++k) {
    for (count log = 3; (count)1 << log <= ladder.size; ++log) {
      if ((count)1 << log > methods[k].most) break;
      tell(&methods[k], (count)1 << log, log, comma);
      comma = ",";
    }
  }
  ladder_append("]");
  return ladder_end();
}
