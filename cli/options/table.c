/* table.c - every option of every command, once
 *
 * Method  Help is printed from these rows; the tests hold the man page and the completions
 *         against the help. */
#include "args.h"
#include "output/sink.h"
#include "report/progress.h"

enum {
  SUM = 1 << COMMAND_SUM,
  REDUCE = 1 << COMMAND_REDUCE,
  DOT = 1 << COMMAND_DOT,
  SCAN = 1 << COMMAND_SCAN,
  HIST = 1 << COMMAND_HIST,
  DESCRIBE = 1 << COMMAND_DESCRIBE,
  CONVERT = 1 << COMMAND_CONVERT,
  INFO = 1 << COMMAND_INFO,
  BENCH = 1 << COMMAND_BENCH,
  FOLD = SUM | REDUCE | 1 << COMMAND_MIN | 1 << COMMAND_MAX,
  COMPUTE = FOLD | DOT | SCAN | HIST | DESCRIBE,
  INPUT = COMPUTE | CONVERT,
  ALL = INPUT | INFO | BENCH
};

static const struct choice formats[] = {
    {"npy", INPUT_NPY}, {"raw", INPUT_RAW}, {"text", INPUT_TEXT}, {NULL, 0}};
static const struct choice nans[] = {
    {"propagate", HEDDLE_NAN_PROPAGATE}, {"skip", HEDDLE_NAN_SKIP}, {NULL, 0}};
static const struct choice accumulators[] = {{"f32", HEDDLE_F32}, {"f64", HEDDLE_F64}, {NULL, 0}};
/* The operators of scan, and those of reduce, which has some that no running total has. */
#define RUNNING_OPERATORS                                                               \
  {"sum", HEDDLE_SUM}, {"prod", HEDDLE_PROD}, {"min", HEDDLE_MIN}, {"max", HEDDLE_MAX}, \
      {"and", HEDDLE_AND}, {"or", HEDDLE_OR}, {                                         \
    "xor", HEDDLE_XOR                                                                   \
  }
static const struct choice scan_ops[] = {RUNNING_OPERATORS, {NULL, 0}};
static const struct choice reduce_ops[] = {RUNNING_OPERATORS,     {"any", HEDDLE_ANY},
                                           {"all", HEDDLE_ALL},   {"argmin", OP_ARGMIN},
                                           {"argmax", OP_ARGMAX}, {NULL, 0}};
static const struct choice targets[] = {
    {"npy", ARRAY_NPY}, {"raw", ARRAY_RAW}, {"text", ARRAY_TEXT}, {NULL, 0}};
static const struct choice progresses[] = {
    {"auto", PROGRESS_AUTO}, {"always", PROGRESS_ALWAYS}, {"never", PROGRESS_NEVER}, {NULL, 0}};

#define AT(member) offsetof(struct settings, member)
#define FLAG(name, letter, member, value, commands, help) \
  { name, letter, KIND_FLAG, NULL, AT(member), value, NULL, commands, help }
#define VALUE(name, letter, kind, values, member, commands, help) \
  { name, letter, kind, values, AT(member), 0, NULL, commands, help }
#define CHOICE(name, values, member, choices, commands, help) \
  { name, 0, KIND_CHOICE, values, AT(member), 0, choices, commands, help }

/* clang-format off */
const struct option_row option_table[] = {
    CHOICE("op", "OP", op, reduce_ops, REDUCE,
           "sum, prod, min, max, and, or, xor, any, all, argmin, argmax (default sum)"),
    CHOICE("op", "OP", op, scan_ops, SCAN, "sum, prod, min, max, and, or, xor (default sum)"),
    FLAG("exclusive", 0, exclusive, 1, SCAN, "element i is the total of what comes before it"),
    VALUE("init", 0, KIND_TEXT, "VALUE", init, SCAN | REDUCE, "start with VALUE"),

    VALUE("bins", 0, KIND_TEXT, "N", bins, HIST,
          "how many: a number, auto, fd or sturges (default auto, as NumPy's)"),
    VALUE("range", 0, KIND_PAIR, "LO HI", range, HIST,
          "from LO to HI; default: all finite values"),
    VALUE("edges", 0, KIND_TEXT, "A,B,C", edges, HIST, "bins between these; @FILE reads them"),
    VALUE("width", 0, KIND_TEXT, "W", width, HIST, "bins of width W, at multiples of it"),
    FLAG("log", 0, log, 1, HIST, "each bin as many times wider than the one before"),
    FLAG("integer", 0, integer, 1, HIST, "a bin for each integer"),
    FLAG("cumulative", 0, cumulative, 1, HIST, "each bin with all before it"),
    FLAG("density", 0, density, 1, HIST, "scaled so that the area is 1"),
    VALUE("weights", 0, KIND_TEXT, "COL|FILE", weights, HIST,
          "add up these instead of counting: a column, or a file"),
    VALUE("channels", 0, KIND_NUMBER, "N", channels, HIST,
          "N interleaved channels, 1 to 4, a histogram each"),
    FLAG("ascii", 0, ascii, 1, HIST, "draw with ASCII characters only"),
    VALUE("svg", 0, KIND_TEXT, "FILE", svg, HIST, "also draw an SVG picture"),
    VALUE("plot-width", 0, KIND_NUMBER, "N", plot_width, HIST,
          "columns of the plot; default: the terminal's"),
    VALUE("title", 0, KIND_TEXT, "TEXT", title, HIST, "title of the picture and the plot"),

    CHOICE("to", "FORMAT", to, targets, CONVERT,
           "npy, raw or text (default: by FILE's ending, else text)"),
    VALUE("size", 0, KIND_TEXT, "SIZES", sizes, BENCH,
          "bytes of the array, such as 1M or 32K,8M,1G (default 256M)"),
    VALUE("only", 0, KIND_TEXT, "NAMES", only, BENCH, "these primitives, such as sum,scan"),

    VALUE("type", 0, KIND_TYPE, "TYPE", type, INPUT,
          "element type of a raw file, or what text is read as"),
    FLAG("bytes", 0, bytes, 1, INPUT, "the bytes of any file, as u8"),
    VALUE("offset", 0, KIND_NUMBER, "N", offset, INPUT,
          "start at byte N (raw) or after N elements (.npy)"),
    VALUE("count", 0, KIND_NUMBER, "N", count, INPUT, "read at most N elements"),
    CHOICE("format", "FORMAT", format, formats, INPUT,
           "npy, raw or text; default: by the file's first bytes"),
    FLAG("big-endian", 0, big_endian, 1, INPUT, "raw elements have their highest byte first"),
    VALUE("column", 'c', KIND_COLUMNS, "COL", columns, INPUT,
          "columns of text, by name or number from 1: -c a,b or -c a -c b"),
    VALUE("delimiter", 'd', KIND_TEXT, "CHAR", delimiter, INPUT,
          "between columns; 'tab' and 'space' too; default: found out"),
    FLAG("header", 0, header, 1, INPUT, "the first line has the columns' names"),
    FLAG("no-header", 0, header, 0, INPUT, "the first line is data"),
    FLAG("skip-bad", 0, skip_bad, 1, INPUT, "pass over lines that are no numbers, and count them"),
    FLAG("as-is", 0, as_is, 1, INPUT, "do not unpack gzip and zstd"),
    FLAG("no-map", 0, no_map, 1, INPUT, "read files instead of mapping them"),

    CHOICE("nan", "POLICY", nan, nans, FOLD | DOT | SCAN | DESCRIBE,
           "propagate (default) or skip"),
    CHOICE("acc", "TYPE", acc, accumulators, FOLD | DOT | SCAN,
           "accumulate floats in f32 or f64"),
    VALUE("out-type", 0, KIND_TYPE, "TYPE", out_type, FOLD | DOT | SCAN | CONVERT,
          "type of the result"),
    VALUE("axis", 0, KIND_TEXT, "K", axis, FOLD | SCAN | DESCRIBE,
          "along axis K of a .npy array, from 0; -1 is the last"),
    VALUE("device", 0, KIND_TEXT, "NAME", device, COMPUTE | INFO | BENCH,
          "cpu, cpu:N for N threads, cuda, cuda:N for GPU N, or simt, a GPU made of software "
          "(default $HEDDLE_DEVICE, else cpu)"),
    VALUE("threads", 0, KIND_NUMBER, "N", threads, COMPUTE | INFO | BENCH, "at most N threads"),

    FLAG("json", 0, style, STYLE_JSON, COMPUTE | INFO | BENCH, "write JSON"),
    FLAG("csv", 0, style, STYLE_CSV, COMPUTE | INFO | BENCH, "write CSV"),
    VALUE("output", 'o', KIND_TEXT, "FILE", output, INPUT | INFO | BENCH,
          "write to FILE once all is done; .npy, .raw, .json, .csv and .svg by its ending"),
    FLAG("quiet", 'q', quiet, 1, ALL, "results only: no notes, no progress"),
    CHOICE("progress", "WHEN", progress, progresses, INPUT, "auto (default), always or never"),
    FLAG("no-color", 0, no_color, 1, ALL, "no colours"),
    FLAG("help", 'h', help, 1, ALL, "this help"),
    FLAG("version", 0, version, 1, ALL, "the version"),
};
/* clang-format on */
const size_t option_count = sizeof option_table / sizeof *option_table;

const char *operator_name(int op) {
  for (const struct choice *c = reduce_ops; c->name; c++)
    if (c->code == op) return c->name;
  return "";
}
