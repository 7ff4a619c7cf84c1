/* A profile as text (model.h): a kernel's totals, then the lines that have figures. */
#include "model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t weight(const struct profile_line *line) {
  const struct profile_figures *f = &line->figures;
  return f->issues + f->global.units + f->shared.units + f->atomics.turns + f->barriers;
}

/* ---- Totals ---------------------------------------------------------------------------------- */

static void print_memory(const char *name, const struct profile_memory *m, bool shared, FILE *out) {
  if (!m->requests) return;
  fprintf(out, "  %-17s %" PRIu64 " requests; ", name, m->requests);
  if (shared)
    fprintf(out, "bank conflicts %.4g-way, the worst %" PRIu64 "-way; ", profile_ratio(m),
            m->worst);
  else
    fprintf(out, "%.4g sectors a request, ideal %.4g (%.3gx), the worst %" PRIu64 "; ",
            profile_units(m), profile_ideal(m), profile_ratio(m), m->worst);
  fprintf(out, "words read %.10g, written %.10g\n", (double)m->bytes_read / 4,
          (double)m->bytes_written / 4);
}

static void print_atomics(const struct profile_atomics *a, FILE *out) {
  if (!a->requests) return;
  fprintf(out,
          "  %-17s %" PRIu64 " requests of %" PRIu64
          " threads; %.4g lanes of a warp at one address, at the most %" PRIu64
          "; at one address in all %" PRIu64 "\n",
          "atomics", a->requests, a->lanes, profile_contention(a), a->worst, a->at_one);
}

static void print_occupancy(const struct profile *p, const struct profile_kernel *k, FILE *out) {
  fprintf(out, "  %-17s %.3g%% on %s, limited by %s: %u blocks, %u warps a multiprocessor",
          "occupancy", k->occupancy.percent, p->gpu->title, gpu_limit_name(k->occupancy.limit),
          k->occupancy.blocks, k->occupancy.warps);
  fprintf(out, " (%u registers a thread assumed, %" PRIu64 " bytes of shared memory a block)\n",
          p->registers, k->shared_static + k->shared_dynamic);
}

static void print_totals(const struct profile *p, const struct profile_kernel *k, FILE *out) {
  fprintf(out, "\n%s (%s:%u)\n", k->name, k->file, k->line);
  fprintf(out,
          "  %-17s %" PRIu64 "; %s <<<(%u,%u,%u), (%u,%u,%u)>>>; blocks %" PRIu64
          ", threads %" PRIu64 "\n",
          "launches", k->launches, k->uniform ? "each" : "the largest", k->grid[0], k->grid[1],
          k->grid[2], k->block[0], k->block[1], k->block[2], k->blocks, k->threads);
  if (k->figures.issues)
    fprintf(out, "  %-17s %.1f%%: %" PRIu64 " lanes of %" PRIu64 " warps' basic blocks\n",
            "SIMT efficiency", 100 * profile_efficiency(&k->figures), k->figures.lanes,
            k->figures.issues);
  print_memory("global memory", &k->figures.global, false, out);
  print_memory("shared memory", &k->figures.shared, true, out);
  print_atomics(&k->figures.atomics, out);
  if (k->figures.barriers)
    fprintf(out, "  %-17s %" PRIu64 " by blocks\n", "barriers", k->figures.barriers);
  fprintf(out,
          "  %-17s %" PRIu64 " in the longest warp, work %" PRIu64 "; instructions %" PRIu64
          " by warps\n",
          "steps", k->steps, k->work, profile_instructions(&k->figures));
  print_occupancy(p, k, out);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void print_cell(FILE *out, int width, double value, const char *format) {
  char cell[64];
  if (isnan(value))
    fprintf(out, " %*s", width, "");
  else
    fprintf(out, " %*s", width, (snprintf(cell, sizeof cell, format, value), cell));
}

static double or_nothing(uint64_t count, double value) { return count ? value : (double)NAN; }

static void print_line(const struct profile_line *line, FILE *out) {
  const struct profile_figures *f = &line->figures;
  fprintf(out, "%6u", line->line);
  print_cell(out, 11, or_nothing(line->executions, (double)line->executions), "%.0f");
  print_cell(out, 6, 100 * profile_efficiency(f), "%.1f%%");
  print_cell(out, 6, profile_units(&f->global), "%.4g");
  print_cell(out, 5, profile_ideal(&f->global), "%.3g");
  print_cell(out, 5, profile_ratio(&f->shared), "%.3g");
  print_cell(out, 5, profile_contention(&f->atomics), "%.3g");
  print_cell(out, 7, or_nothing(f->barriers, (double)f->barriers), "%.0f");
  fprintf(out, "  %s\n", line->text ? line->text : "");
}

/* The weight from which on a line is among the `most`. */
static int descending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x < y) - (x > y);
}

static uint64_t least_weight(const struct profile_kernel *k, unsigned most) {
  if (!most || k->line_count <= most) return 0;
  uint64_t *all = malloc(k->line_count * sizeof *all);
  if (!all) return 0;
  for (size_t i = 0; i < k->line_count; i++) all[i] = weight(&k->lines[i]);
  qsort(all, k->line_count, sizeof *all, descending);
  const uint64_t least = all[most - 1];
  free(all);
  return least;
}

static void print_lines(const struct profile_kernel *k, unsigned most, FILE *out) {
  const uint64_t least = least_weight(k, most);
  const char *file = NULL;
  fputs("\n  line    threads  SIMT sectors ideal banks atoms barrier  source\n", out);
  for (size_t i = 0; i < k->line_count; i++) {
    if (weight(&k->lines[i]) < least) continue;
    if (k->lines[i].file != file && (file || k->lines[i].file != k->file))
      fprintf(out, "        %s\n", k->lines[i].file);
    file = k->lines[i].file;
    print_line(&k->lines[i], out);
  }
}

void profile_print_text(const struct profile *p, unsigned most_lines, FILE *out) {
  fprintf(out, "heddle profile of %s\n%s\n", p->program, profile_note);
  if (!p->kernel_count) fputs("\nNo kernel was launched.\n", out);
  for (size_t i = 0; i < p->kernel_count; i++) {
    print_totals(p, &p->kernels[i], out);
    print_lines(&p->kernels[i], most_lines, out);
  }
  if (p->kernel_count)
    fputs("\nColumns: threads that ran the line; SIMT efficiency: active lanes of 32; global "
          "memory:\nsectors of 32 bytes a request, and the least possible; shared memory: turns of "
          "the banks\n(1 is no conflict); atomics: lanes of a warp at one address; barriers by "
          "blocks.\n",
          out);
  if (p->lost) fprintf(out, "%" PRIu64 " figures found no room and are missing.\n", p->lost);
  if (*p->limits) fprintf(out, "%s\n", p->limits);
}
