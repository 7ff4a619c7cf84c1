/* table.c - every option of every command, once
 *
 * Method  Help is printed from these rows, and completions are made from them; a test holds the man
 *         page to them. In a help text "%," stands for the choices, "%|" for the same with "or"
 *         before the last, "%1" for that with "(default)" behind the first. */
#include "args.h"
#include "output/sink.h"
#include "report/progress.h"

enum {
  SUM = 1 << COMMAND_SUM,
  SPREAD = 1 << COMMAND_STD | 1 << COMMAND_VAR,
  FIGURE = SPREAD | 1 << COMMAND_MEAN | 1 << COMMAND_COUNT,
  PAIRS = 1 << COMMAND_MINMAX | 1 << COMMAND_MODE,
  REDUCE = 1 << COMMAND_REDUCE,
  DOT = 1 << COMMAND_DOT,
  SCAN = 1 << COMMAND_SCAN,
  ELEMENTS = 1 << COMMAND_SORT,
  SORT = ELEMENTS | 1 << COMMAND_ARGSORT,
  HIST = 1 << COMMAND_HIST,
  HIST2D = 1 << COMMAND_HIST2D,
  DRAW = HIST | HIST2D,
  ECDF = 1 << COMMAND_ECDF,
  BOX = 1 << COMMAND_BOX,
  PLOT = DRAW | ECDF | BOX,
  DESCRIBE = 1 << COMMAND_DESCRIBE,
  CORR = 1 << COMMAND_CORR,
  QUANTILE = 1 << COMMAND_QUANTILE,
  QUANTILES = QUANTILE | 1 << COMMAND_MEDIAN,
  NTH = 1 << COMMAND_NTH,
  TOP = 1 << COMMAND_TOP,
  UNIQ = 1 << COMMAND_UNIQ,
  SELECT = 1 << COMMAND_SELECT,
  CONVERT = 1 << COMMAND_CONVERT,
  GROUP = 1 << COMMAND_GROUP,
  INFO = 1 << COMMAND_INFO,
  BENCH = 1 << COMMAND_BENCH,
  FOLD = SUM | REDUCE | 1 << COMMAND_MIN | 1 << COMMAND_MAX,
  STATISTIC = FOLD | FIGURE | PAIRS | DESCRIBE | QUANTILES, /* of columns, or of each group's */
  COMPUTE =
      FOLD | FIGURE | PAIRS | DOT | SCAN | SORT | PLOT | DESCRIBE | CORR | QUANTILES | NTH | TOP,
  INPUT = COMPUTE | CONVERT | SELECT | UNIQ,
  CHOOSE = COMPUTE | CONVERT, /* columns by -c */
  TABLES = INPUT | GROUP,     /* read text with columns */
  RESULTS = COMPUTE | GROUP,  /* write JSON and CSV */
  RUN = RESULTS | SELECT | UNIQ,
  ALL = TABLES | INFO | BENCH
};

static const struct choice formats[] = {{"npy", INPUT_NPY, INPUT},
                                        {"raw", INPUT_RAW, INPUT},
                                        {"text", INPUT_TEXT, TABLES},
                                        {NULL, 0, 0}};
static const struct choice nans[] = {{"propagate", HEDDLE_NAN_PROPAGATE, ALL},
                                     {"keep", HEDDLE_NAN_PROPAGATE, ALL},
                                     {"skip", HEDDLE_NAN_SKIP, ALL},
                                     {"error", NAN_ERROR, ALL},
                                     {NULL, 0, 0}};
static const struct choice accumulators[] = {
    {"f32", HEDDLE_F32, ALL}, {"f64", HEDDLE_F64, ALL}, {NULL, 0, 0}};
static const struct choice operators[] = {{"sum", HEDDLE_SUM, REDUCE | SCAN | INFO},
                                          {"prod", HEDDLE_PROD, REDUCE | SCAN | INFO},
                                          {"min", HEDDLE_MIN, REDUCE | SCAN | INFO},
                                          {"max", HEDDLE_MAX, REDUCE | SCAN | INFO},
                                          {"and", HEDDLE_AND, REDUCE | SCAN | INFO},
                                          {"or", HEDDLE_OR, REDUCE | SCAN | INFO},
                                          {"xor", HEDDLE_XOR, REDUCE | SCAN | INFO},
                                          {"any", HEDDLE_ANY, REDUCE | INFO},
                                          {"all", HEDDLE_ALL, REDUCE | INFO},
                                          {"sum_squares", HEDDLE_SUM_SQUARES, REDUCE | SCAN | INFO},
                                          {"argmin", OP_ARGMIN, REDUCE},
                                          {"argmax", OP_ARGMAX, REDUCE},
                                          {"mean", OP_MEAN, 0},
                                          {"count", OP_COUNT, 0},
                                          {"std", OP_STD, 0},
                                          {"var", OP_VAR, 0},
                                          {NULL, 0, 0}};
static const struct choice methods[] = {
    {"linear", HEDDLE_QUANTILE_LINEAR, ALL},
    {"inverted_cdf", HEDDLE_QUANTILE_INVERTED_CDF, ALL},
    {"averaged_inverted_cdf", HEDDLE_QUANTILE_AVERAGED_INVERTED_CDF, ALL},
    {"closest_observation", HEDDLE_QUANTILE_CLOSEST_OBSERVATION, ALL},
    {"interpolated_inverted_cdf", HEDDLE_QUANTILE_INTERPOLATED_INVERTED_CDF, ALL},
    {"hazen", HEDDLE_QUANTILE_HAZEN, ALL},
    {"weibull", HEDDLE_QUANTILE_WEIBULL, ALL},
    {"median_unbiased", HEDDLE_QUANTILE_MEDIAN_UNBIASED, ALL},
    {"normal_unbiased", HEDDLE_QUANTILE_NORMAL_UNBIASED, ALL},
    {"lower", HEDDLE_QUANTILE_LOWER, ALL},
    {"higher", HEDDLE_QUANTILE_HIGHER, ALL},
    {"midpoint", HEDDLE_QUANTILE_MIDPOINT, ALL},
    {"nearest", HEDDLE_QUANTILE_NEAREST, ALL},
    {NULL, 0, 0}};
static const struct choice targets[] = {{"npy", ARRAY_NPY, ALL},
                                        {"npz", TO_NPZ, ALL},
                                        {"raw", ARRAY_RAW, ALL},
                                        {"text", ARRAY_TEXT, ALL},
                                        {"csv", TO_CSV, ALL},
                                        {"tsv", TO_TSV, ALL},
                                        {"jsonl", TO_JSONL, ALL},
                                        {"arrow", TO_ARROW, ALL},
                                        {"arrows", TO_ARROW_STREAM, ALL},
                                        {"parquet", TO_PARQUET, ALL},
                                        {NULL, 0, 0}};
static const struct choice progresses[] = {{"auto", PROGRESS_AUTO, ALL},
                                           {"always", PROGRESS_ALWAYS, ALL},
                                           {"never", PROGRESS_NEVER, ALL},
                                           {NULL, 0, 0}};

/* Words that an option of free text knows: completions offer them. */
static const struct choice rules[] = {
    {"auto", 0, ALL}, {"fd", 0, ALL}, {"sturges", 0, ALL}, {NULL, 0, 0}};
static const struct choice families[] = {{"sum", 0, ALL},      {"dot", 0, ALL},  {"argmax", 0, ALL},
                                         {"describe", 0, ALL}, {"hist", 0, ALL}, {"scan", 0, ALL},
                                         {NULL, 0, 0}};
static const struct choice devices[] = {
    {"cpu", 0, ALL}, {"cuda", 0, ALL}, {"simt", 0, ALL}, {NULL, 0, 0}};
const struct choice delimiter_names[] = {{"tab", '\t', ALL},
                                         {"space", ' ', ALL},
                                         {"comma", ',', ALL},
                                         {"semicolon", ';', ALL},
                                         {NULL, 0, 0}};

#define AT(member) offsetof(struct settings, member)
#define FLAG(name, letter, member, value, commands, help) \
  { name, letter, KIND_FLAG, NULL, AT(member), value, NULL, commands, help }
#define VALUE(name, letter, kind, values, member, commands, help) \
  { name, letter, kind, values, AT(member), 0, NULL, commands, help }
#define CHOICE(name, values, member, choices, commands, help) \
  { name, 0, KIND_CHOICE, values, AT(member), 0, choices, commands, help }
#define WORDS(name, letter, values, member, words, commands, help) \
  { name, letter, KIND_TEXT, values, AT(member), 0, words, commands, help }

/* clang-format off */
const struct option_row option_table[] = {
    FLAG("plan", 0, plan, 1, INFO,
         "which kernel each primitive runs, from which size on, and how large"),
    CHOICE("op", "OP", op, operators, REDUCE | SCAN | INFO, "%, (default sum)"),
    FLAG("exclusive", 0, exclusive, 1, SCAN, "element i is the total of what comes before it"),
    VALUE("init", 0, KIND_TEXT, "VALUE", init, SCAN | REDUCE, "start with VALUE"),

    FLAG("reverse", 'r', reverse, 1, SORT, "from the greatest to the least"),
    FLAG("unique", 'u', unique, 1, SORT, "of what is equal the first alone"),
    VALUE("head", 0, KIND_NUMBER, "N", head, SORT, "only the first N of the result"),
    VALUE("key", 'k', KIND_KEYS, "COLS", keys, ELEMENTS,
          "sort whole lines of a table by columns, each reversed by :r behind it: -k 2,3r or -k a,b:r"),
    VALUE("key", 'k', KIND_KEYS, "COLS", keys, GROUP,
          "columns, by name or number from 1, whose texts say which group a row is of: -k city,year"),
    VALUE("by", 0, KIND_KEYS, "COLS", keys, STATISTIC | BOX,
          "of each group of rows that have one text in these columns of a table: --by city,year"),
    FLAG("argsort", 0, argsort, 1, ELEMENTS,
         "write positions, counted from 0, instead of elements"),
    VALUE("memory", 'S', KIND_TEXT, "SIZE", memory, SORT | UNIQ | GROUP | FOLD | FIGURE | PAIRS | BOX,
          "memory for what is sorted or grouped, such as 200M (default: half of it)"),
    VALUE("memory", 'S', KIND_TEXT, "SIZE", memory, QUANTILES | NTH,
          "memory for a column that is held, such as 200M (default: half of it); larger ones are read again"),
    VALUE("memory", 'S', KIND_TEXT, "SIZE", memory, DESCRIBE,
          "memory for the quartiles and distinct texts of a whole table, such as 1G (default 160M)"),
    VALUE("tmp", 0, KIND_TEXT, "DIR", tmp, SORT | UNIQ | GROUP | STATISTIC | BOX,
          "folder for what is sorted or grouped and does not fit it (default $TMPDIR, else /tmp)"),

    VALUE("ddof", 0, KIND_NUMBER, "N", ddof, SPREAD | GROUP | DESCRIBE,
          "divide by N less than there are values: 1 for a sample (default 0)"),

    CHOICE("method", "NAME", method, methods, QUANTILE | GROUP,
           "what stands between two elements, by NumPy's names (default linear)"),
    VALUE("number", 'k', KIND_NUMBER, "K", top, TOP, "how many (default 10)"),
    FLAG("least", 0, least, 1, TOP, "the least, from the least on"),

    WORDS("bins", 0, "N", bins, rules, HIST,
          "how many: a number, %| (default auto, as NumPy's)"),
    VALUE("bins", 0, KIND_TEXT, "N", bins, HIST2D,
          "how many along both axes, or NX,NY (default 10)"),
    VALUE("x-range", 0, KIND_PAIR, "LO HI", x_range, HIST2D,
          "from LO to HI along x; default: all finite values"),
    VALUE("y-range", 0, KIND_PAIR, "LO HI", y_range, HIST2D, "the same along y"),
    VALUE("range", 0, KIND_PAIR, "LO HI", range, HIST,
          "from LO to HI; default: all finite values"),
    VALUE("edges", 0, KIND_TEXT, "A,B,C", edges, HIST, "bins between these; @FILE reads them"),
    VALUE("width", 0, KIND_TEXT, "W", width, HIST, "bins of width W, at multiples of it"),
    FLAG("log", 0, log, 1, HIST, "each bin as many times wider than the one before"),
    FLAG("integer", 0, integer, 1, HIST, "a bin for each integer"),
    FLAG("cumulative", 0, cumulative, 1, HIST, "each bin with all before it"),
    FLAG("density", 0, density, 1, DRAW, "scaled so that the area (hist2d: the volume) is 1"),
    VALUE("weights", 0, KIND_TEXT, "COL|FILE", weights, HIST,
          "add up these instead of counting: a column, or a file"),
    VALUE("channels", 0, KIND_NUMBER, "N", channels, HIST,
          "N interleaved channels, 1 to 4, a histogram each"),
    VALUE("points", 0, KIND_NUMBER, "N", points, ECDF,
          "of more than N elements (default 1000), those of N ranks as far from each other"),
    FLAG("ascii", 0, ascii, 1, PLOT, "draw with ASCII characters only"),
    VALUE("svg", 0, KIND_TEXT, "FILE", svg, PLOT, "also draw an SVG picture"),
    VALUE("html", 0, KIND_TEXT, "FILE", html, PLOT | DESCRIBE | GROUP,
          "write a page of HTML: what was run, the picture if there is one, and the figures"),
    VALUE("plot-width", 0, KIND_NUMBER, "N", plot_width, PLOT,
          "columns of the plot; default: the terminal's"),
    VALUE("title", 0, KIND_TEXT, "TEXT", title, PLOT, "title of the picture and the plot"),

    FLAG("distinct", 0, distinct, 1, 1 << COMMAND_COUNT,
         "how many different texts a column of a table has, missing ones left out"),
    VALUE("weights", 0, KIND_TEXT, "COL", weights, 1 << COMMAND_MEAN,
          "the column of a table that has the weight of each value"),
    FLAG("counts", 'c', counts, 1, UNIQ, "how often in front of each"),
    FLAG("repeated", 'd', repeated, 1, UNIQ, "only what is there more than once"),
    FLAG("unique", 'u', single, 1, UNIQ, "only what is there once"),
    VALUE("key", 'k', KIND_KEYS, "COL", keys, UNIQ,
          "whole lines of a table, the first for each text of this column, by name or number from 1"),
    FLAG("consecutive", 0, consecutive, 1, UNIQ,
         "of equal ones only those that follow each other are one; nothing is sorted"),
    FLAG("numbers", 'n', numbers, 1, UNIQ, "read text as numbers"),

    VALUE("where", 0, KIND_TEXT, "CONDITION", where, SELECT,
          "the condition, instead of the first word"),
    VALUE("where", 0, KIND_TEXT, "CONDITION", where, GROUP | STATISTIC | CORR | TOP | HIST | ECDF | BOX,
          "only rows for which it holds, such as 'price > 3', as in heddle select"),
    FLAG("positions", 0, positions, 1, SELECT,
         "write positions, counted from 0, instead of elements or lines"),

    CHOICE("to", "FORMAT", to, targets, CONVERT,
           "%| (default: by FILE's ending, else text)"),
    VALUE("size", 0, KIND_TEXT, "SIZES", sizes, BENCH,
          "bytes of the array, such as 1M or 32K,8M,1G (default 256M)"),
    WORDS("only", 0, "NAMES", only, families, BENCH, "these primitives, such as sum,scan"),

    VALUE("type", 0, KIND_TYPE, "TYPE", type, INPUT,
          "element type of a raw file, or what text is read as"),
    VALUE("type", 0, KIND_TYPE, "TYPE", type, INFO,
          "element type of the plan; default: f32, and i32 where it differs"),
    FLAG("bytes", 0, bytes, 1, INPUT, "the bytes of any file, as u8"),
    VALUE("offset", 0, KIND_NUMBER, "N", offset, INPUT,
          "start at byte N (raw) or after N elements (.npy)"),
    VALUE("count", 0, KIND_NUMBER, "N", count, INPUT, "read at most N elements"),
    CHOICE("format", "FORMAT", format, formats, TABLES,
           "%|; default: by the file's first bytes"),
    VALUE("member", 0, KIND_TEXT, "NAME", member, TABLES,
          "which array of a .npz, or file of a .zip; also FILE:NAME"),
    VALUE("tensor", 0, KIND_TEXT, "NAME", member, TABLES, "the same of a safetensors file"),
    VALUE("dataset", 0, KIND_TEXT, "NAME", member, TABLES, "the same of an HDF5 or NetCDF-4 file"),
    FLAG("big-endian", 0, big_endian, 1, INPUT, "raw elements have their highest byte first"),
    VALUE("column", 'c', KIND_COLUMNS, "COL", columns, CHOOSE,
          "columns of text, by name or number from 1: -c a,b or -c a -c b; of several also 2-5, /EXPRESSION/"),
    WORDS("delimiter", 'd', "CHAR", delimiter, delimiter_names, TABLES & ~UNIQ,
          "between columns; 'tab' and 'space' too; default: found out"),
    WORDS("delimiter", 0, "CHAR", delimiter, delimiter_names, UNIQ,
          "between columns; 'tab' and 'space' too; default: found out"),
    FLAG("header", 0, header, 1, TABLES, "the first line has the columns' names"),
    FLAG("no-header", 0, header, 0, TABLES, "the first line is data"),
    FLAG("skip-bad", 0, skip_bad, 1, TABLES, "pass over lines that are no numbers, and count them"),
    VALUE("na", 0, KIND_TEXT, "WORDS", missing, CHOOSE | GROUP,
          "of text, fields that are missing, as empty ones are: --na NA,N/A,null,-"),
    VALUE("decimal", 0, KIND_TEXT, "CHAR", decimal, CHOOSE | GROUP,
          "of text, what stands before the fraction of a number: . (default) or ,"),
    VALUE("thousands", 0, KIND_TEXT, "CHAR", thousands, CHOOSE | GROUP,
          "of text, what may stand between groups of three digits: . , ' _ or space"),
    VALUE("comment", 0, KIND_TEXT, "CHAR", comment, TABLES,
          "lines that begin with CHAR are passed over (default #), or 'none'"),
    FLAG("as-is", 0, as_is, 1, TABLES, "do not unpack gzip, zstd, xz, bzip2 and zip"),
    FLAG("no-map", 0, no_map, 1, INPUT, "read files instead of mapping them"),

    CHOICE("nan", "POLICY", nan, nans,
           FOLD | FIGURE | PAIRS | DOT | SCAN | DESCRIBE | CORR | QUANTILES | GROUP,
           "%1"),
    CHOICE("acc", "TYPE", acc, accumulators, FOLD | DOT | SCAN,
           "accumulate floats in %|"),
    FLAG("exact", 0, exact, 1, SUM | REDUCE | DOT | HIST | GROUP,
         "the real sum of floats, rounded once, whatever their order"),
    VALUE("out-type", 0, KIND_TYPE, "TYPE", out_type, FOLD | DOT | SCAN | CONVERT,
          "type of the result"),
    VALUE("axis", 0, KIND_TEXT, "K", axis, FOLD | FIGURE | SCAN | DESCRIBE,
          "along axis K of a .npy array, from 0; -1 is the last"),
    WORDS("device", 0, "NAME", device, devices, RUN | INFO | BENCH,
          "cpu, cpu:N for N threads, cuda, cuda:N for GPU N, cuda:0,1 or cuda:all for several GPUs, "
          "or simt, a GPU made of software (default $HEDDLE_DEVICE, else cpu)"),
    VALUE("threads", 0, KIND_NUMBER, "N", threads, RUN | CONVERT | INFO | BENCH, "at most N threads"),

    FLAG("json", 0, style, STYLE_JSON, RESULTS | INFO | BENCH, "write JSON"),
    FLAG("json-lines", 0, style, STYLE_JSON_LINES, GROUP | STATISTIC, "write a line of JSON a group"),
    FLAG("csv", 0, style, STYLE_CSV, RESULTS | INFO | BENCH, "write CSV"),
    VALUE("output", 'o', KIND_TEXT, "FILE", output, TABLES | INFO | BENCH,
          "write to FILE once all is done; .npy, .raw, .json, .csv, .svg and .html by its ending"),
    FLAG("quiet", 'q', quiet, 1, ALL, "results only: no notes, no progress"),
    CHOICE("progress", "WHEN", progress, progresses, TABLES, "%1"),
    FLAG("no-color", 0, no_color, 1, ALL, "no colours"),
    FLAG("help", 'h', help, 1, ALL, "this help"),
    FLAG("version", 0, version, 1, ALL, "the version"),
};
/* clang-format on */
const size_t option_count = sizeof option_table / sizeof *option_table;

const char *operator_name(int op) {
  for (const struct choice *c = operators; c->name; c++)
    if (c->code == op) return c->name;
  return "";
}

bool settings_group(const struct settings *s) {
  return s->key_count > 0 && (STATISTIC >> s->command & 1) != 0;
}

bool option_applies(const struct option_row *row, enum command_id command) {
  return (row->commands >> command & 1) != 0;
}

bool choice_applies(const struct choice *choice, enum command_id command) {
  return (choice->commands >> command & 1) != 0;
}
