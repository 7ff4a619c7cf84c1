/* bench_gpu.c - times the library on a GPU, one job a line of standard input
 *
 * Result    a line of JSON a job: milliseconds, and whether the result was right
 * Method    events around each call, the median of many; results are compared with those of a CPU
 *           context, bit for bit. what=copy and what=upload time the driver's copies. `bench_gpu
 *           first sum` and `first scan` time the first call of a process with a CUDA context.
 * Limits    one GPU; the default stream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "work.h"

static const char *device(void) {
  const char *name = getenv("HEDDLE_BENCH_DEVICE");
  return name ? name : "cuda";
}

static void must(heddle_status status) {
  if (status != HEDDLE_OK) gpu_die("%s", heddle_message());
}

/* ---- copies ------------------------------------------------------------------------------------ */

struct move {
  void *to;
  const void *from;
  size_t bytes;
};

static void move(void *arg) {
  const struct move *m = arg;
  gpu_copy_async(m->to, m->from, m->bytes);
}

static void time_copy(const struct job *job) {
  const int upload = strcmp(job->what, "upload") == 0;
  void *from = upload ? gpu_pinned(job->n) : gpu_memory(job->n), *to = gpu_memory(job->n);
  if (upload) memset(from, 1, job->n);
  struct move m = {to, from, job->n};
  const struct timing timing = job_time(move, &m, job->reps, 0);
  job_print(&timing, NULL, NULL);
  gpu_forget(to);
  if (upload)
    gpu_unpin(from);
  else
    gpu_forget(from);
}

/* ---- the first call ------------------------------------------------------------------------------ */

static int first_call(int is_scan) {
  enum { COUNT = 1 << 20 };
  float total = 0;
  void *x = gpu_memory(COUNT * sizeof(float)), *out = gpu_memory(COUNT * sizeof(float));
  gpu_fill(x, 0, COUNT * sizeof(float));
  gpu_wait();
  heddle_context *ctx = NULL;
  struct timing timing = {0, 0, 0, 0};
  const double begun = gpu_clock();
  must(heddle_open(device(), &ctx));
  if (is_scan)
    must(heddle_scan(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, COUNT, out, NULL));
  else
    must(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, COUNT, out, NULL));
  must(heddle_sync(ctx));
  timing.median = timing.least = timing.most = gpu_clock() - begun;
  gpu_copy(&total, out, sizeof total);
  job_print(&timing, total == 0 ? NULL : "the sum of zeros is not zero", NULL);
  heddle_close(ctx);
  return 0;
}

static void do_line(char *line, struct work *w) {
  job_parse(line, &w->job);
  if (strcmp(w->job.what, "copy") == 0 || strcmp(w->job.what, "upload") == 0) {
    time_copy(&w->job);
    return;
  }
  const char *why = work_begin(w);
  struct timing timing = {0, 0, 0, 0};
  if (!why) {
    why = work_verify(w);
    timing = job_time(work_run, w, w->job.reps, w->on_host);
    must(heddle_sync(w->gpu));
    work_end(w);
  }
  job_print(&timing, why, NULL);
}

int main(int argc, char **argv) {
  static char line[2048];
  struct work w = {0};
  gpu_open(getenv("HEDDLE_BENCH_DRIVER"));
  if (argc > 2 && strcmp(argv[1], "first") == 0) return first_call(!strcmp(argv[2], "scan"));
  must(heddle_open(device(), &w.gpu));
  must(heddle_open("cpu", &w.cpu));
  (void)printf("{\"name\": \"%s\", \"version\": \"%s\"}\n", gpu_name(), heddle_version_string());
  (void)fflush(stdout);
  while (fgets(line, sizeof line, stdin)) do_line(line, &w);
  job_forget();
  heddle_close(w.gpu);
  heddle_close(w.cpu);
  return 0;
}
