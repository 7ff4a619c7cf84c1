/* test_mpi.c - heddle_mpi.h against the plain calls on the whole array
 *
 * Use       mpirun -n N test_mpi: one launch is all cases; test_mpi.py runs it with 1 to 8 ranks
 * Method    Every rank makes the whole array and does the plain call; each call is repeated for every way
 *           to cut the array, and its result must have the plain call's bits on every rank. Then failures
 *           of one rank alone, which all have to return. */
#include <stdlib.h>

/* The header's memory, of which a rank may have none. */
static int lacks_memory;
static void *allocate(size_t bytes) { return lacks_memory ? NULL : malloc(bytes); }
#define malloc allocate

#include <heddle_mpi.h>

#include "cases.h"

static int failures, cases;

void expect(int holds, const char *what, size_t count, enum cut cut) {
  cases++;
  if (holds) return;
  failures++;
  fprintf(stderr, "rank %d of %d: %s, %zu elements, cut %d: %s\n", rank, ranks, what, count,
          (int)cut, heddle_mpi_message());
}

/* A communicator in which the ranks stand in reverse: its order counts, not that of the world. */
static void reversed(heddle_context *ctx) {
  enum { COUNT = 5003 };
  static float x[COUNT];
  const MPI_Comm world = comm;
  float plain = 0, merged = 1;
  MPI_Comm_split(world, 0, -rank, &comm);
  MPI_Comm_rank(comm, &rank);
  fill_f32(x, COUNT, 7);
  const size_t from = first(COUNT, UNEVEN, rank), to = first(COUNT, UNEVEN, rank + 1);
  const heddle_status a = heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, COUNT, &plain, NULL);
  const heddle_status b =
      heddle_mpi_reduce(comm, ctx, HEDDLE_SUM, HEDDLE_F32, x + from, to - from, &merged, NULL);
  expect(a == HEDDLE_OK && b == HEDDLE_OK && memcmp(&plain, &merged, 4) == 0, "reversed ranks",
         COUNT, UNEVEN);
  MPI_Comm_free(&comm);
  comm = world;
  MPI_Comm_rank(comm, &rank);
}

/* Status and rank that the others are told when the last rank alone fails; all keep working afterwards. */
static void told(const char *what, heddle_status expected, int by, heddle_status status) {
  char name[32];
  snprintf(name, sizeof name, "rank %d: ", by);
  expect(status == expected && strncmp(heddle_mpi_message(), name, strlen(name)) == 0 &&
             strlen(heddle_mpi_message()) > strlen(name) + 8,
         what, 10, EVEN);
}

static void failing(heddle_context *ctx) {
  const int last = ranks - 1, bad = rank == last;
  static float x[10];
  float out = 0;
  uint64_t index, counts[4];
  heddle_options options = HEDDLE_OPTIONS_INIT;
  heddle_bins bins = HEDDLE_BINS_INIT;
  told("null array", HEDDLE_BAD_ARGUMENT, last,
       heddle_mpi_reduce(comm, ctx, HEDDLE_SUM, HEDDLE_F32, bad ? NULL : x, 10, &out, NULL));
  told("no values", HEDDLE_EMPTY, 0,
       heddle_mpi_reduce(comm, ctx, HEDDLE_MIN, HEDDLE_F32, x, 0, &out, NULL));
  told("no such operator", HEDDLE_UNSUPPORTED, last,
       heddle_mpi_reduce(comm, ctx, bad ? HEDDLE_XOR : HEDDLE_SUM, HEDDLE_F32, x, 10, &out, NULL));
  options.start = (uint64_t)bad;
  told("a start", HEDDLE_BAD_ARGUMENT, last,
       heddle_mpi_argreduce(comm, ctx, HEDDLE_ARGMAX, HEDDLE_F32, x, 10, &out, &index, &options));
  told("a start of a scan", HEDDLE_BAD_ARGUMENT, last,
       heddle_mpi_scan(comm, ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, 10, x, &options));
  bins.kind = HEDDLE_BINS_EVEN;
  bins.count = bad ? 0 : 4;
  bins.hi = 1;
  told("no bins", HEDDLE_BAD_ARGUMENT, last,
       heddle_mpi_histogram(comm, ctx, HEDDLE_F32, x, NULL, 10, &bins, counts, NULL, NULL));
  if (ranks == 1) return;
  told("types that differ", HEDDLE_BAD_ARGUMENT, last & (last - 1), /* its parent in the tree */
       heddle_mpi_reduce(comm, ctx, HEDDLE_SUM, bad ? HEDDLE_I32 : HEDDLE_F32, x, 10, &out, NULL));
  uint64_t start;
  told("too many elements", HEDDLE_BAD_ARGUMENT, last,
       heddle_mpi_start(comm,
                        rank == 0 ? (uint64_t)-5
                        : bad     ? 10
                                  : 0,
                        &start));
}

/* A rank without memory for states still receives what others send: nobody waits for it. */
static void lacking(heddle_context *ctx, int poor) {
  enum { COUNT = 3000, BINS = 2000 };
  static double x[COUNT];
  static uint64_t counts[BINS];
  double out = 0;
  heddle_bins bins = HEDDLE_BINS_INIT;
  bins.count = BINS;
  bins.hi = 1;
  lacks_memory = rank == poor;
  told("a sum without memory", HEDDLE_OUT_OF_MEMORY, poor,
       heddle_mpi_reduce(comm, ctx, HEDDLE_SUM, HEDDLE_F64, x, COUNT, &out, NULL));
  told("a histogram without memory", HEDDLE_OUT_OF_MEMORY, poor,
       heddle_mpi_histogram(comm, ctx, HEDDLE_F64, x, NULL, COUNT, &bins, counts, NULL, NULL));
  if (ranks > 1)
    told("a scan without memory", HEDDLE_OUT_OF_MEMORY, poor,
         heddle_mpi_scan(comm, ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F64, x, COUNT, x, NULL));
  lacks_memory = 0;
}

int main(int argc, char **argv) {
  heddle_context *ctx;
  int all = 0, least = 0;
  MPI_Init(&argc, &argv);
  comm = MPI_COMM_WORLD;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (heddle_open(getenv("HEDDLE_DEVICE") ? NULL
                  : rank % 2              ? "cpu:2"
                                          : "cpu:1",
                  &ctx) != HEDDLE_OK) {
    fprintf(stderr, "%s\n", heddle_message());
    MPI_Abort(comm, 1);
  }
  every_call(ctx);
  reversed(ctx);
  failing(ctx);
  for (int poor = 0; poor < ranks; poor++) lacking(ctx, poor);
  heddle_close(ctx);
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, comm);
  MPI_Allreduce(&cases, &least, 1, MPI_INT, MPI_MIN, comm);
  if (rank == 0) printf("%d ranks, %d cases, %d failed\n", ranks, least, all);
  MPI_Finalize();
  return all != 0;
}
