/* synonyms.c - tables of names, each with the rest of a sentence
 *
 * Method  A table, since the letters of a synonym say nothing: the name nearest to "mean" is "min".
 *         Where nothing does the same the text says so, and names what comes near.
 * Source  the names are those of datamash, NumPy, pandas, DuckDB, qsv and the shell */
#include "synonyms.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define MEAN "heddle mean gives that"
#define SPREAD                                                                                  \
  "heddle std is the standard deviation and heddle var the variance, with --ddof 1 those of a " \
  "sample"
#define COUNT "heddle count gives that"
#define SKEW "heddle describe gives the skewness"
#define QUANTILES "heddle quantile 0.25,0.5,0.75 gives those, heddle median the middle one"
#define DISTINCT "heddle uniq has each value once, with --counts how often"
#define SORTED                                                                                  \
  "heddle sort puts elements in order, heddle argsort their positions, and heddle top has the " \
  "greatest"

struct synonym {
  const char *names; /* with a blank on each side of each */
  const char *remedy;
};

/* Of commands and of operators. */
static const struct synonym figures[] = {
    {" mean avg average ", MEAN},
    {" std stddev stdev sd sstdev pstdev var variance svar pvar ", SPREAD},
    {" count len length size n ", COUNT},
    {" skew skewness sskew pskew ", SKEW},
    {" median quantile quantiles percentile percentiles perc q1 q3 quartiles iqr ", QUANTILES},
    {" unique dedup distinct countunique nunique value_counts ", DISTINCT},
    {" correlation pearson pcov cov scov ppearson spearson ",
     "heddle corr is Pearson's correlation of columns"},
    {" mode ", "it is called heddle mode"},
    {" sort argsort order top topk ", SORTED}};

static const struct synonym commands[] = {
    {" stats stat statistics summary summarize summarise ", "heddle describe is the summary"},
    {" boxplot whisker whiskers ", "it is called heddle box"},
    {" cdf distribution ", "it is called heddle ecdf"},
    {" histogram bincount ", "it is called heddle hist"},
    {" cumsum prefix prefix-sum prefixsum accumulate running cumulative ",
     "heddle scan writes running totals"},
    {" cumprod ", "heddle scan --op prod does that"},
    {" cummax ", "heddle scan --op max does that"},
    {" cummin ", "heddle scan --op min does that"},
    {" cat print show head dump export ", "heddle convert writes the elements as text"},
    {" cast astype to ", "heddle convert --out-type does that"},
    {" fold aggregate agg ", "it is called heddle reduce"},
    {" add total ", "it is called heddle sum"},
    {" fsum kahan neumaier ", "heddle sum --exact rounds the real sum once"},
    {" minimum ", "it is called heddle min"},
    {" maximum ", "it is called heddle max"},
    {" range extrema ", "heddle minmax gives the least and the greatest"},
    {" prod product ", "heddle reduce --op prod does that"},
    {" argmin ", "heddle reduce --op argmin does that"},
    {" argmax ", "heddle reduce --op argmax does that"},
    {" any ", "heddle reduce --op any does that"},
    {" all ", "heddle reduce --op all does that"},
    {" and ", "heddle reduce --op and does that"},
    {" or ", "heddle reduce --op or does that"},
    {" xor ", "heddle reduce --op xor does that"},
    {" inner vdot ", "it is called heddle dot"},
    {" group groupby group-by pivot ", "it is called heddle group"},
    {" filter where grep find compress query ",
     "heddle select has elements and lines by a condition"},
    {" flatnonzero nonzero argwhere ", "heddle select --positions does that"},
    {" devices version ", "heddle info tells that"},
    {" benchmark ", "it is called heddle bench"}};

static const struct synonym operators[] = {
    {" add plus total + cumsum ", "it is called sum"},
    {" product mul mult multiply times * cumprod ", "it is called prod"},
    {" minimum least cummin ", "it is called min"},
    {" maximum greatest cummax ", "it is called max"},
    {" & bitand band ", "it is called and"},
    {" | bitor bor ", "it is called or"},
    {" ^ bitxor bxor parity ", "it is called xor"}};

static const struct synonym types[] = {
    {" float32 single f4 fp32 ", "it is called f32"},
    {" float64 double f8 fp64 ", "it is called f64"},
    {" float16 half f2 fp16 ", "it is called f16"},
    {" bfloat16 bfloat brain ", "it is called bf16"},
    {" float real ", "f32 is the float of C, f64 that of Python"},
    {" int integer long ", "i32 and i64 are the usual integers"},
    {" int8 char schar int8_t i1 ", "it is called i8"},
    {" int16 short int16_t i2 ", "it is called i16"},
    {" int32 int32_t i4 ", "it is called i32"},
    {" int64 int64_t ", "it is called i64"},
    {" uint8 byte uchar uint8_t u1 bool ", "it is called u8"},
    {" uint16 ushort uint16_t u2 ", "it is called u16"},
    {" uint32 uint uint32_t u4 ", "it is called u32"},
    {" uint64 ulong uint64_t size_t ", "it is called u64"}};

static int has_name(const char *names, const char *name, size_t length) {
  for (const char *p = names; *p != '\0'; p++)
    if (*p == ' ' && strncasecmp(p + 1, name, length) == 0 && p[length + 1] == ' ') return 1;
  return 0;
}

static const char *find(const struct synonym *table, size_t count, const char *name) {
  const size_t length = strlen(name);
  if (length == 0 || strchr(name, ' ')) return NULL;
  for (size_t i = 0; i < count; i++)
    if (has_name(table[i].names, name, length)) return table[i].remedy;
  return NULL;
}

const char *synonym_of_command(const char *name) {
  const char *remedy = find(commands, sizeof commands / sizeof *commands, name);
  return remedy ? remedy : find(figures, sizeof figures / sizeof *figures, name);
}

const char *synonym_of_operator(const char *name) {
  const char *remedy = find(operators, sizeof operators / sizeof *operators, name);
  return remedy ? remedy : find(figures, sizeof figures / sizeof *figures, name);
}

const char *synonym_of_type(const char *name) {
  return find(types, sizeof types / sizeof *types, name);
}
