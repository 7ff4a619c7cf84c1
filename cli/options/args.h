/* args.h - the command line: one table of options, from which parsing and help are made */
#ifndef HEDDLE_CLI_OPTIONS_ARGS_H
#define HEDDLE_CLI_OPTIONS_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/input.h"
#include "report/failure.h"

enum command_id {
  COMMAND_SUM,
  COMMAND_MIN,
  COMMAND_MAX,
  COMMAND_MEAN,
  COMMAND_COUNT,
  COMMAND_STD,
  COMMAND_VAR,
  COMMAND_MINMAX,
  COMMAND_MODE,
  COMMAND_REDUCE,
  COMMAND_DOT,
  COMMAND_SCAN,
  COMMAND_SORT,
  COMMAND_ARGSORT,
  COMMAND_UNIQ,
  COMMAND_GROUP,
  COMMAND_HIST,
  COMMAND_HIST2D,
  COMMAND_ECDF,
  COMMAND_BOX,
  COMMAND_DESCRIBE,
  COMMAND_CORR,
  COMMAND_MEDIAN,
  COMMAND_QUANTILE,
  COMMAND_NTH,
  COMMAND_TOP,
  COMMAND_SELECT,
  COMMAND_CONVERT,
  COMMAND_INFO,
  COMMAND_BENCH
};

/* --op: those of the library, then argmin and argmax; behind these what commands of their own find. */
enum { OP_ARGMIN = 100, OP_ARGMAX, OP_MEAN, OP_COUNT, OP_STD, OP_VAR };
enum { NAN_ERROR = 100 }; /* --nan, which no call of the library has: see settings.nan_error */
enum style { STYLE_TABLE, STYLE_JSON, STYLE_CSV, STYLE_JSON_LINES };
/* --to; else an array_format, or one of these, of columns under names */
enum to_format {
  TO_DEFAULT = -1,
  TO_CSV = 8,
  TO_TSV,
  TO_NPZ = 16,
  TO_JSONL,
  TO_ARROW,
  TO_ARROW_STREAM,
  TO_PARQUET
};
enum { SHARES_MOST = 64 }; /* of heddle quantile; ranks of heddle nth */

/* What the command line says, at its defaults where it says nothing. */
struct settings {
  enum command_id command;
  const char **files;
  size_t file_count;

  int type, bytes, format, header, skip_bad, big_endian, no_map, as_is; /* input */
  uint64_t offset, count;
  const char *columns[INPUT_MAX_COLUMNS];
  size_t column_count;
  const char *delimiter, *missing, *comment, *decimal, *thousands, *member;

  int op, nan, acc, exact, out_type, exclusive, to; /* work */
  int nan_error; /* --nan error; nan is HEDDLE_NAN_PROPAGATE then */
  const char *init, *axis, *device;
  uint64_t threads;

  int style, quiet, progress, no_color, help, version; /* output */
  const char *output, *html;
  int page;         /* --output is a page of HTML; style is STYLE_CSV, for its table */
  const char *name; /* of the command, and what followed it: what a page says was run */
  char **words;
  size_t word_count;

  const char *bins, *range[2], *edges, *width; /* hist */
  const char *x_range[2], *y_range[2];         /* hist2d */
  int log, integer, cumulative, density, ascii;
  int picture; /* --output is the picture */
  const char *weights, *svg, *title;
  uint64_t channels, plot_width;
  uint64_t points; /* ecdf; 0: the usual number */

  const char *sizes, *only;     /* bench */
  int plan;                     /* info */
  int reverse, argsort, unique; /* sort */
  uint64_t head;
  const char *memory, *tmp;
  const char *keys[INPUT_MAX_COLUMNS];
  bool key_reversed[INPUT_MAX_COLUMNS];
  size_t key_count;

  const char *where; /* select: the condition, else its first operand; group */
  int positions;
  int counts, repeated, single, consecutive, numbers; /* uniq */
  int distinct;                                       /* count */

  double shares[SHARES_MOST]; /* quantile: what comes before its files; median: 0.5 */
  size_t share_count;
  uint64_t ranks[SHARES_MOST]; /* nth: the same */
  size_t rank_count;
  bool shares_given;
  int method, least; /* quantile; top */
  uint64_t top, ddof;

  struct part *part; /* of heddle-mpi: this process has a part of each file; else NULL */

  char *storage[64]; /* copies that columns and keys point into */
  size_t storage_count;
};

enum option_kind {
  KIND_FLAG,    /* stores flag_value in an int */
  KIND_TEXT,    /* const char * */
  KIND_PAIR,    /* const char *[2], two arguments */
  KIND_NUMBER,  /* uint64_t */
  KIND_CHOICE,  /* int: the code of one of the choices */
  KIND_TYPE,    /* int: a heddle_type */
  KIND_COLUMNS, /* appends to columns */
  KIND_KEYS     /* appends to keys */
};

struct choice {
  const char *name;
  int code;
  unsigned commands; /* that offer it: bits as in option_row */
};

struct option_row {
  const char *name;
  char letter; /* or 0 */
  enum option_kind kind;
  const char *values; /* what follows, for the help; NULL for a flag */
  size_t offset;      /* in struct settings */
  int flag_value;
  const struct choice *choices; /* NULL for none; of KIND_TEXT words that it knows, beside others */
  unsigned commands;            /* bit 1 << command_id */
  const char *help;             /* with the marks of table.c */
};

extern const struct choice delimiter_names[];

/* Whether it is a statistic that is asked of each group, by --by: heddle group's work. */
bool settings_group(const struct settings *s);

/* Whether a command has the option; whether it offers the choice. */
bool option_applies(const struct option_row *row, enum command_id command);
bool choice_applies(const struct choice *choice, enum command_id command);

/* The name of an operator as --op has it: "sum" .. "argmax". */
const char *operator_name(int op);

extern const struct option_row option_table[];
extern const size_t option_count;

void settings_init(struct settings *s);
void settings_free(struct settings *s);

/* argv[0] .. argv[argc-1] are what follows the command's name. */
int args_parse(enum command_id command, int argc, char **argv, struct settings *s,
               struct failure *why);

/* The options of an input: everything above that concerns it. */
int args_input_options(const struct settings *s, const char *path, struct input_options *options,
                       struct failure *why);

#endif
