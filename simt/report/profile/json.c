/* A profile as JSON (model.h): heddle-profile(1) has the names and their meanings. */
#include "model.h"

#include <inttypes.h>
#include <math.h>

#include "base/json/escape.h"

static void put_string(FILE *out, const char *text) {
  char escaped[JSON_ESCAPED];
  fputc('"', out);
  while (text && *text) {
    const size_t length = json_escape(text, NULL, escaped);
    fputs(escaped, out);
    text += length ? length : 1;
  }
  fputc('"', out);
}

static void put_number(FILE *out, const char *name, double value) {
  if (isnan(value))
    fprintf(out, ",\"%s\":null", name);
  else
    fprintf(out, ",\"%s\":%.6g", name, value);
}

static void put_count(FILE *out, const char *name, uint64_t count) {
  fprintf(out, ",\"%s\":%" PRIu64, name, count);
}

static void put_memory(FILE *out, const char *name, const struct profile_memory *m, bool shared) {
  fprintf(out, ",\"%s\":{\"requests\":%" PRIu64, name, m->requests);
  put_count(out, "lanes", m->lanes);
  put_count(out, shared ? "turns" : "sectors", m->units);
  put_count(out, "ideal", m->ideal);
  if (shared) {
    put_number(out, "degree", profile_ratio(m));
  } else {
    put_number(out, "sectors_per_request", profile_units(m));
    put_number(out, "ideal_per_request", profile_ideal(m));
    put_number(out, "ratio", profile_ratio(m));
  }
  put_count(out, "worst", m->worst);
  put_number(out, "words_read", (double)m->bytes_read / 4);
  put_number(out, "words_written", (double)m->bytes_written / 4);
  fputc('}', out);
}

static void put_atomics(FILE *out, const struct profile_atomics *a) {
  fprintf(out, ",\"atomics\":{\"requests\":%" PRIu64, a->requests);
  put_count(out, "lanes", a->lanes);
  put_number(out, "contention", profile_contention(a));
  put_count(out, "worst", a->worst);
  put_count(out, "most_at_one_address", a->at_one);
  fputc('}', out);
}

/* `all`: also what there was none of, as a kernel's totals have it. */
static void put_figures(FILE *out, const struct profile_figures *f, bool all) {
  put_count(out, "instructions", profile_instructions(f));
  put_count(out, "issues", f->issues);
  put_count(out, "lanes", f->lanes);
  put_number(out, "efficiency", profile_efficiency(f));
  if (all || f->global.requests)
    put_memory(out, "global", &f->global, false);
  else
    fputs(",\"global\":null", out);
  if (all || f->shared.requests)
    put_memory(out, "shared", &f->shared, true);
  else
    fputs(",\"shared\":null", out);
  if (all || f->atomics.requests)
    put_atomics(out, &f->atomics);
  else
    fputs(",\"atomics\":null", out);
  put_count(out, "barriers", f->barriers);
}

static void put_line(FILE *out, const struct profile_line *line) {
  fputs("{\"file\":", out);
  put_string(out, line->file);
  put_count(out, "line", line->line);
  put_count(out, "executions", line->executions);
  fputs(",\"text\":", out);
  if (line->text)
    put_string(out, line->text);
  else
    fputs("null", out);
  put_figures(out, &line->figures, false);
  fputc('}', out);
}

static void put_kernel(FILE *out, const struct profile_kernel *k) {
  fputs("{\"name\":", out);
  put_string(out, k->name);
  fputs(",\"file\":", out);
  put_string(out, k->file);
  put_count(out, "line", k->line);
  put_count(out, "launches", k->launches);
  put_count(out, "blocks", k->blocks);
  put_count(out, "warps", k->warps);
  put_count(out, "threads", k->threads);
  fprintf(out, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"uniform\":%s", k->grid[0], k->grid[1],
          k->grid[2], k->block[0], k->block[1], k->block[2], k->uniform ? "true" : "false");
  put_count(out, "shared_static", k->shared_static);
  put_count(out, "shared_dynamic", k->shared_dynamic);
  put_count(out, "steps", k->steps);
  put_count(out, "work", k->work);
  put_figures(out, &k->figures, true);
  fprintf(out, ",\"occupancy\":{\"percent\":%.6g,\"blocks\":%u,\"warps\":%u,\"limit\":",
          k->occupancy.percent, k->occupancy.blocks, k->occupancy.warps);
  put_string(out, gpu_limit_name(k->occupancy.limit));
  fputs("},\n  \"lines\":[", out);
  for (size_t i = 0; i < k->line_count; i++) {
    fputs(i ? ",\n   " : "\n   ", out);
    put_line(out, &k->lines[i]);
  }
  fputs("]}", out);
}

void profile_print_json(const struct profile *p, FILE *out) {
  fputs("{\"format\":\"heddle-profile\",\"version\":1,\"note\":", out);
  put_string(out, profile_note);
  fputs(",\"program\":", out);
  put_string(out, p->program);
  fprintf(out, ",\"status\":%d,\n \"gpu\":{\"name\":", p->status);
  put_string(out, p->gpu->name);
  fputs(",\"title\":", out);
  put_string(out, p->gpu->title);
  fprintf(out, ",\"registers\":%u},\"lost\":%" PRIu64 ",\"limits\":", p->registers, p->lost);
  put_string(out, p->limits);
  fputs(",\n \"kernels\":[", out);
  for (size_t i = 0; i < p->kernel_count; i++) {
    fputs(i ? ",\n " : "\n ", out);
    put_kernel(out, &p->kernels[i]);
  }
  fputs("]}\n", out);
}
