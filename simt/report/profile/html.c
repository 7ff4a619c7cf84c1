/* A profile as one page (model.h).
 *
 * Result   totals, a table of kernels, each kernel's source with its figures beside the lines, and
 *          what the figures mean. One file, no script, nothing fetched
 * Limits   source that cannot be read: only the lines that have figures; files beyond 16 MiB too.
 *          Of a file only the kernel's part is shown, without long runs of lines that have none
 */
#include "model.h"
#include "report/html/html_source.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SOURCE = 16 << 20, AROUND = 2, GAP = 12 };

/* ---- totals, kernels ------------------------------------------------------------------------- */

static void add_memory(struct profile_memory *to, const struct profile_memory *m) {
  to->requests += m->requests;
  to->lanes += m->lanes;
  to->units += m->units;
  to->ideal += m->ideal;
  if (m->worst > to->worst) to->worst = m->worst;
}

static struct profile_figures totals(const struct profile *p) {
  struct profile_figures sum = {0};
  for (size_t i = 0; i < p->kernel_count; i++) {
    const struct profile_figures *f = &p->kernels[i].figures;
    sum.issues += f->issues;
    sum.lanes += f->lanes;
    sum.barriers += f->barriers;
    add_memory(&sum.global, &f->global);
    add_memory(&sum.shared, &f->shared);
    sum.atomics.requests += f->atomics.requests;
    sum.atomics.turns += f->atomics.turns;
    if (f->atomics.worst > sum.atomics.worst) sum.atomics.worst = f->atomics.worst;
  }
  return sum;
}

static double worst_of(uint64_t requests, uint64_t worst) {
  return requests ? (double)worst : (double)NAN;
}

/* The lines and bars of profile figures; the same columns for kernels and for totals. */
static void put_figures(FILE *out, const struct profile_figures *f) {
  const double sectors = profile_units(&f->global), degree = profile_units(&f->shared);
  const double ideal = profile_ideal(&f->global), contention = profile_contention(&f->atomics);
  html_percent(out, "efficiency", profile_efficiency(f), profile_efficiency(f) < 0.5);
  html_figure(out, "sectors", sectors, "%.1f", (sectors - 1) / 31, sectors > 2 * ideal);
  html_figure(out, "ideal", ideal, "%.1f", -1, false);
  html_figure(out, "degree", degree, "%.1f", (degree - 1) / 31, degree > 1.5);
  html_figure(out, "degree-worst", worst_of(f->shared.requests, f->shared.worst), "%.0f", -1,
              false);
  html_figure(out, "contention", contention, "%.1f", (contention - 1) / 31, contention > 1.5);
  html_figure(out, "contention-worst", worst_of(f->atomics.requests, f->atomics.worst), "%.0f", -1,
              false);
  html_count(out, "barriers", (double)f->barriers);
}

static void put_shape(FILE *out, const struct profile_kernel *k) {
  fprintf(out, "<td data-figure=\"shape\" data-value=\"%llu\">",
          (unsigned long long)k->block_threads);
  fprintf(out, "%u", k->grid[0]);
  for (int i = 1; i < 3; i++)
    if (k->grid[i] > 1 || k->grid[2] > 1) fprintf(out, "&times;%u", k->grid[i]);
  fprintf(out, " of %u", k->block[0]);
  for (int i = 1; i < 3; i++)
    if (k->block[i] > 1 || k->block[2] > 1) fprintf(out, "&times;%u", k->block[i]);
  fprintf(out, "%s</td>", k->uniform ? "" : ", varies");
}

static void put_kernel(FILE *out, const struct profile_kernel *k, size_t number) {
  fprintf(out, "<tr id=\"kernel-%zu\"><th scope=\"row\" class=\"text code\"><a href=\"#k%zu\">",
          number, number);
  html_text(out, k->name);
  fputs("</a></th>", out);
  html_count(out, "launches", (double)k->launches);
  put_shape(out, k);
  html_count(out, "threads", (double)k->threads);
  html_count(out, "steps", (double)k->steps);
  html_count(out, "work", (double)k->work);
  put_figures(out, &k->figures);
  html_percent(out, "occupancy", k->occupancy.percent / 100, k->occupancy.percent < 25);
  fprintf(out, "<td class=\"text\" data-figure=\"limit\">%s</td></tr>\n",
          gpu_limit_name(k->occupancy.limit));
}

static void put_total(FILE *out, const struct profile *p) {
  const struct profile_figures sum = totals(p);
  double launches = 0, threads = 0, steps = 0, work = 0;
  for (size_t i = 0; i < p->kernel_count; i++) {
    launches += (double)p->kernels[i].launches;
    threads += (double)p->kernels[i].threads;
    steps += (double)p->kernels[i].steps;
    work += (double)p->kernels[i].work;
  }
  fputs("</tbody>\n<tfoot><tr id=\"total\"><th scope=\"row\" class=\"text\">all kernels</th>", out);
  html_count(out, "launches", launches);
  html_empty_cell(out);
  html_count(out, "threads", threads);
  html_count(out, "steps", steps);
  html_count(out, "work", work);
  put_figures(out, &sum);
  html_empty_cell(out);
  html_empty_cell(out);
  fputs("</tr></tfoot>\n", out);
}

static void put_kernels(FILE *out, const struct profile *p) {
  fputs("<h2>Kernels</h2>\n<div class=\"wide\"><table id=\"kernels\">\n<thead>\n<tr>"
        "<th scope=\"col\" rowspan=\"2\" class=\"text\">kernel</th>"
        "<th scope=\"col\" rowspan=\"2\">launches</th>"
        "<th scope=\"col\" rowspan=\"2\">blocks of threads</th>"
        "<th scope=\"col\" rowspan=\"2\">threads</th><th scope=\"col\" rowspan=\"2\">steps</th>"
        "<th scope=\"col\" rowspan=\"2\">work</th><th scope=\"col\" rowspan=\"2\">efficiency</th>"
        "<th scope=\"colgroup\" colspan=\"2\">global sectors</th>"
        "<th scope=\"colgroup\" colspan=\"2\">bank conflicts</th>"
        "<th scope=\"colgroup\" colspan=\"2\">atomics at one address</th>"
        "<th scope=\"col\" rowspan=\"2\">barriers</th>"
        "<th scope=\"colgroup\" colspan=\"2\">occupancy</th></tr>\n"
        "<tr><th scope=\"col\">a request</th><th scope=\"col\">ideal</th>"
        "<th scope=\"col\">mean</th><th scope=\"col\">worst</th><th scope=\"col\">mean</th>"
        "<th scope=\"col\">worst</th><th scope=\"col\">warps</th>"
        "<th scope=\"col\" class=\"text\">limited by</th></tr>\n</thead>\n<tbody>\n",
        out);
  for (size_t i = 0; i < p->kernel_count; i++) put_kernel(out, &p->kernels[i], i + 1);
  put_total(out, p);
  fputs("</table></div>\n", out);
}

/* ---- source ---------------------------------------------------------------------------------- */

/* The file's text, to be freed; NULL: not readable, no regular file's, or too much. */
static char *read_source(const char *path, size_t *bytes) {
  FILE *file = path ? fopen(path, "rb") : NULL;
  char *text = NULL;
  if (!file) return NULL;
  const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size >= 0 && size <= MOST_SOURCE && fseek(file, 0, SEEK_SET) == 0)
    text = malloc((size_t)size + 1);
  if (text) *bytes = fread(text, 1, (size_t)size, file);
  fclose(file);
  return text;
}

static struct html_line line_of(const struct profile_kernel *k, const struct profile_line *l) {
  const struct profile_figures *f = &l->figures;
  const double all = (double)k->figures.issues;
  return (struct html_line){
      .line = l->line,
      .text = l->text,
      .share = f->issues && all > 0 ? (double)f->issues / all : (double)NAN,
      .executions = (double)l->executions,
      .efficiency = profile_efficiency(f),
      .sectors = profile_units(&f->global),
      .ideal = profile_ideal(&f->global),
      .degree = profile_units(&f->shared),
      .degree_worst = worst_of(f->shared.requests, f->shared.worst),
      .contention = profile_contention(&f->atomics),
      .contention_worst = worst_of(f->atomics.requests, f->atomics.worst),
      .barriers = (double)f->barriers,
  };
}

static bool is_same_file(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* Lines `from` up to `end` of the kernel are those of one file. */
static int put_file(FILE *out, const struct profile_kernel *k, size_t number, size_t from,
                    size_t end) {
  struct html_line *lines = calloc(end - from, sizeof *lines);
  const char *file = k->lines[from].file;
  char id[64];
  if (!lines) return -1;
  for (size_t i = from; i < end; i++) lines[i - from] = line_of(k, &k->lines[i]);
  snprintf(id, sizeof id, "k%zu-f%zu", number, from);
  struct html_source s = {.id = id,
                          .caption = file ? file : "no file known",
                          .lines = lines,
                          .count = end - from,
                          .gap = GAP};
  unsigned first = lines[0].line;
  if (is_same_file(file, k->file) && k->line < first) first = k->line;
  s.first = first > AROUND ? first - AROUND : 1;
  s.last = lines[s.count - 1].line + AROUND;
  char *text = read_source(file, &s.bytes);
  s.text = text;
  html_source(out, &s);
  free(text);
  free(lines);
  return 0;
}

static int put_source(FILE *out, const struct profile_kernel *k, size_t number) {
  fprintf(out, "<section id=\"k%zu\">\n<h3 class=\"code\">", number);
  html_text(out, k->name);
  fputs("</h3>\n<p class=\"soft\">", out);
  html_text(out, k->file ? k->file : "no file known");
  fprintf(out, ":%u; shared memory a block: %llu bytes static, %llu dynamic</p>\n", k->line,
          (unsigned long long)k->shared_static, (unsigned long long)k->shared_dynamic);
  for (size_t from = 0; from < k->line_count;) {
    size_t end = from + 1;
    while (end < k->line_count && is_same_file(k->lines[end].file, k->lines[from].file)) end++;
    if (put_file(out, k, number, from, end)) return -1;
    from = end;
  }
  if (k->line_count == 0) fputs("<p>No line of it has figures.</p>\n", out);
  fputs("</section>\n", out);
  return 0;
}

/* ---- the page -------------------------------------------------------------------------------- */

static void put_head(FILE *out, const struct profile *p) {
  fputs("<h1>Profile of <span class=\"code\">", out);
  html_text(out, p->program);
  fputs("</span></h1>\n<p id=\"note\">", out);
  html_text(out, profile_note);
  fputs("</p>\n<p class=\"soft\">", out);
  fprintf(out, "Occupancy is that of one multiprocessor of %d of an ",
          (int)p->gpu->multiprocessors);
  html_text(out, p->gpu->title);
  fprintf(out, ", with %u registers a thread assumed.", p->registers);
  if (p->status) fprintf(out, " The program ended with status %d.", p->status);
  fputs("</p>\n", out);
  if (p->limits && *p->limits) {
    fputs("<p class=\"wrong\">Not everything was followed: ", out);
    html_text(out, p->limits);
    fputs("</p>\n", out);
  }
  if (p->lost)
    fprintf(out, "<p class=\"wrong\">%llu places found no room and are not counted.</p>\n",
            (unsigned long long)p->lost);
}

int profile_print_html(const struct profile *p, FILE *out) {
  char title[512];
  snprintf(title, sizeof title, "Profile of %s", p->program);
  html_begin(out, title);
  put_head(out, p);
  if (p->kernel_count == 0) fputs("<p>No kernel was launched.</p>\n", out);
  if (p->kernel_count) put_kernels(out, p);
  if (p->kernel_count) fputs("<h2>Source</h2>\n", out);
  for (size_t i = 0; i < p->kernel_count; i++)
    if (put_source(out, &p->kernels[i], i + 1)) return -1;
  fputs("<h2>What the figures are</h2>\n", out);
  html_legend(out);
  html_end(out);
  if (fflush(out) == 0 && !ferror(out)) return 0;
  if (!errno) errno = EIO;
  return -1;
}
