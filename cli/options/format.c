/* format.c - a table of endings that are followed and one of those that are refused
 *
 * Method  A file whose name promises a format and holds another misleads whoever opens it next, so
 *         an ending is followed, or refused with the way to get there. Unknown endings, such as
 *         .txt and .dat, promise nothing; convert, whose work is the format,
 *         refuses all but those. --json and --csv win over .csv, .json and .svg. */
#include "format.h"

#include <string.h>
#include <strings.h>

#include "text/record.h"

bool output_ends(const char *path, const char *ending) {
  const size_t length = path ? strlen(path) : 0, bytes = strlen(ending);
  return length > bytes && path[length - bytes - 1] != '/' &&
         strcasecmp(path + length - bytes, ending) == 0;
}

enum array_format output_array_format(const char *path) {
  if (output_ends(path, ".npy")) return ARRAY_NPY;
  return output_ends(path, ".raw") || output_ends(path, ".bin") ? ARRAY_RAW : ARRAY_TEXT;
}

static const struct {
  const char *ending;
  enum to_format format;
} tables[] = {{".npz", TO_NPZ},        {".jsonl", TO_JSONL},   {".ndjson", TO_JSONL},
              {".arrow", TO_ARROW},    {".feather", TO_ARROW}, {".arrows", TO_ARROW_STREAM},
              {".parquet", TO_PARQUET}};

int output_table_format(const char *path) {
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (output_ends(path, tables[i].ending)) return tables[i].format;
  return TO_DEFAULT;
}

int output_check_lines(const struct settings *s, char delimiter, const char *label,
                       struct failure *why) {
  const bool csv = output_ends(s->output, ".csv") || s->style == STYLE_CSV;
  const bool tsv = output_ends(s->output, ".tsv");
  if (csv && delimiter != ',' && delimiter != ';' && delimiter != TEXT_NONE)
    return fail(why, EXIT_USAGE,
                "%s has no commas between its columns, and lines are kept as they "
                "are: CSV is not what they are",
                label);
  if (tsv && delimiter != '\t' && delimiter != TEXT_NONE)
    return fail(why, EXIT_USAGE,
                "%s has no tabs between its columns, and lines are kept as they "
                "are: .tsv is not what they are",
                label);
  return 0;
}

enum { JSON = 1, CSV = 2, TSV = 4, PICTURE = 8, ARRAY = 16, LINES = 32, PAGE = 64 };

static int written_by(enum command_id id, const struct settings *s) {
  if (s->key_count > 0 && id != COMMAND_GROUP && id != COMMAND_BOX)
    return CSV | TSV; /* lines as they are */
  switch (id) {
  case COMMAND_HIST:
  case COMMAND_HIST2D: return JSON | CSV | PICTURE | PAGE | ARRAY;
  case COMMAND_ECDF:
  case COMMAND_BOX: return JSON | CSV | PICTURE | PAGE;
  case COMMAND_DESCRIBE: return JSON | CSV | PAGE;
  case COMMAND_MINMAX:
  case COMMAND_MODE:
  case COMMAND_INFO:
  case COMMAND_BENCH: return JSON | CSV;
  case COMMAND_GROUP: return JSON | CSV | LINES | PAGE;
  case COMMAND_SELECT:
  case COMMAND_UNIQ:
  case COMMAND_CONVERT: return CSV | TSV | ARRAY;
  default: return JSON | CSV | ARRAY;
  }
}

static const struct {
  const char *ending;
  int format;
} known[] = {{".json", JSON}, {".csv", CSV},   {".tsv", TSV},   {".svg", PICTURE},
             {".npy", ARRAY}, {".raw", ARRAY}, {".bin", ARRAY}, {".jsonl", LINES},
             {".html", PAGE}, {".htm", PAGE},  {".txt", 0},     {".dat", 0},
             {".text", 0}};

#define PACKED(program) \
  "heddle does not pack what it writes: pipe it, as in heddle ... | " program " > FILE"
#define DRAWN "the picture that heddle draws is a histogram as SVG: heddle hist -o FILE.svg"
#define TABLED "tables are written as .csv or .json, and arrays as .npy"

static const struct {
  const char *ending, *remedy;
} refused[] = {{".gz", PACKED("gzip")},
               {".zst", PACKED("zstd")},
               {".xz", PACKED("xz")},
               {".bz2", PACKED("bzip2")},
               {".lz4", PACKED("lz4")},
               {".zip", "heddle does not pack what it writes: name the file inside, then zip it"},
               {".npz", "an archive is what heddle convert writes: write one array as .npy"},
               {".svgz", DRAWN},
               {".png", DRAWN},
               {".jpg", DRAWN},
               {".jpeg", DRAWN},
               {".gif", DRAWN},
               {".webp", DRAWN},
               {".pdf", DRAWN},
               {".eps", DRAWN},
               {".parquet", TABLED},
               {".arrow", TABLED},
               {".feather", TABLED},
               {".h5", TABLED},
               {".hdf5", TABLED},
               {".mat", TABLED},
               {".pkl", TABLED},
               {".xlsx", TABLED},
               {".ods", TABLED}};

/* What convert is asked for by an ending that it does not know would be text under a wrong name. */
static int refuse_unknown(const struct settings *s, struct failure *why) {
  const char *const slash = s->output ? strrchr(s->output, '/') : NULL;
  const char *const name = slash ? slash + 1 : s->output;
  const char *const dot = name ? strrchr(name, '.') : NULL;
  if (!dot || dot == name || s->to != TO_DEFAULT) return 0;
  return fail(
      why, EXIT_USAGE,
      "-o %s: heddle convert knows no format of that name; it writes .npy, .npz, .raw, .bin, "
      ".csv, .tsv, .txt, .dat, .jsonl, .arrow, .feather, .arrows and .parquet, and with --to "
      "any of them under any name",
      s->output);
}

static int refuse(const char *option, const char *path, struct failure *why) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (output_ends(path, refused[i].ending))
      return fail(why, EXIT_USAGE, "%s %s: %s is not written; %s", option, path, refused[i].ending,
                  refused[i].remedy);
  return 0;
}

static int follow(const char *command, int can, int format, struct settings *s,
                  struct failure *why) {
  if (format == ARRAY && (can & ARRAY) != 0 && s->style != STYLE_TABLE)
    return fail(why, EXIT_USAGE, "-o %s asks for elements, and %s for text; leave one out",
                s->output, s->style == STYLE_JSON ? "--json" : "--csv");
  if ((s->style != STYLE_TABLE && format != ARRAY) || (s->to != TO_DEFAULT)) return 0;
  if (format != 0 && (can & format) == 0)
    return fail(why, EXIT_USAGE,
                "-o %s: heddle %s does not write that format; it writes text%s%s%s%s%s%s%s",
                s->output, command, (can & JSON) != 0 ? ", .json" : "",
                (can & LINES) != 0 ? ", .jsonl" : "", (can & CSV) != 0 ? ", .csv" : "",
                (can & TSV) != 0 ? ", .tsv" : "", (can & PICTURE) != 0 ? ", .svg" : "",
                (can & PAGE) != 0 ? ", .html" : "", (can & ARRAY) != 0 ? ", .npy and .raw" : "");
  if (format == JSON) s->style = STYLE_JSON;
  if (format == LINES) s->style = STYLE_JSON_LINES;
  if (format == CSV) s->style = STYLE_CSV;
  if (format == PAGE) {
    s->style = STYLE_CSV;
    s->page = 1;
  }
  if (format != PICTURE) return 0;
  if (s->svg)
    return fail(why, EXIT_USAGE, "-o %s and --svg %s both ask for the picture; leave one out",
                s->output, s->svg);
  s->svg = s->output;
  s->picture = 1;
  return 0;
}

/* --html FILE is -o FILE of a page. */
static int take_page(struct settings *s, struct failure *why) {
  if (!s->html) return 0;
  if (s->output)
    return fail(why, EXIT_USAGE,
                "-o %s and --html %s both say where the result goes; leave one out", s->output,
                s->html);
  if (s->style != STYLE_TABLE)
    return fail(why, EXIT_USAGE,
                "--html %s asks for a page, and %s for something else; leave one out", s->html,
                s->style == STYLE_CSV    ? "--csv"
                : s->style == STYLE_JSON ? "--json"
                                         : "--json-lines");
  if (strcmp(s->html, "-") != 0 && !output_ends(s->html, ".html") && !output_ends(s->html, ".htm"))
    return fail(why, EXIT_USAGE, "--html %s: the name of a page ends in .html or .htm", s->html);
  s->output = s->html;
  s->style = STYLE_CSV;
  s->page = 1;
  return 0;
}

int output_format_settle(const char *command, enum command_id id, struct settings *s,
                         struct failure *why) {
  s->name = command;
  if (take_page(s, why) != 0) return -1;
  if (id == COMMAND_CONVERT && output_table_format(s->output) != TO_DEFAULT) return 0;
  if (refuse("-o", s->output, why) != 0 || refuse("--svg", s->svg, why) != 0) return -1;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (output_ends(s->output, known[i].ending))
      return follow(command, written_by(id, s), known[i].format, s, why);
  return id == COMMAND_CONVERT ? refuse_unknown(s, why) : 0;
}
