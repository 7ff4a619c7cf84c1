/* heddle-mpi.c - sum, min, max, reduce, dot, describe, median, quantile, nth and top of one file by all ranks of an MPI
 *                job
 *
 * Result    that of the same command alone: rank 0 prints it, with the same bits and the same text
 * Method    Every rank runs the command on its part of the file (part.h), up to the point where its state
 *           is whole; heddle_mpi_merge makes one of them. Quantiles come to that once a pass over the file. A rank that fails before takes part in the
 *           merge all the same and tells why, so that all end with its message, once, and its status.
 * Exit      as heddle, on every rank */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/part.h"
#include "heddle_mpi.h"
#include "options/commands.h"
#include "options/format.h"
#include "options/help.h"
#include "output/interrupt.h"
#include "report/terminal.h"

static const char usage[] = "usage: mpirun -n RANKS heddle mpi COMMAND [OPTIONS] FILE\n"
                            "\n"
                            "Runs heddle COMMAND, one of sum, min, max, reduce, dot, describe, "
                            "median, quantile, nth and top, by all ranks of an MPI job:\n"
                            "each reads its part of the file (.npy or raw elements), and rank 0 "
                            "prints the result, which has\n"
                            "the bits and the text of the command alone. heddle COMMAND --help "
                            "tells the options; --axis is\n"
                            "not for several ranks.\n"
                            "\n"
                            "  mpirun -n 64 heddle mpi sum --type f64 samples.raw\n"
                            "  mpirun -n 8 heddle mpi dot --exact x.npy y.npy\n";

/* Exit codes travel as statuses, since these are what ranks agree upon. */
static const struct {
  int exit_code;
  heddle_status status;
} codes[] = {{EXIT_USAGE, HEDDLE_BAD_ARGUMENT},
             {EXIT_INTERRUPTED, HEDDLE_CANCELLED},
             {EXIT_DATA, HEDDLE_BAD_DATA}};

static heddle_status status_of(int exit_code) {
  size_t i = 0;
  while (codes[i].exit_code != exit_code && codes[i].exit_code != EXIT_DATA) i++;
  return codes[i].status;
}

static int exit_code_of(heddle_status status) {
  size_t i = 0;
  if (status == HEDDLE_UNSUPPORTED || status == HEDDLE_NO_DEVICE) return EXIT_USAGE;
  while (codes[i].status != status && codes[i].exit_code != EXIT_DATA) i++;
  return codes[i].exit_code;
}

static int merge(struct part *self, heddle_context *ctx, heddle_state **state,
                 struct failure *why) {
  self->merged = 1;
  const heddle_status status = heddle_mpi_merge(MPI_COMM_WORLD, ctx, HEDDLE_OK, NULL, NULL, state);
  if (status == HEDDLE_OK) return 0;
  return fail(why, exit_code_of(status), "%s", heddle_mpi_message());
}

/* What a rank that failed before the merge owes the others. */
static void join(struct failure *why) {
  heddle_state *none = NULL;
  const heddle_status mine = status_of(why->exit_code);
  const heddle_status status = heddle_mpi_merge(MPI_COMM_WORLD, NULL, mine, why->text, NULL, &none);
  (void)fail(why, exit_code_of(status), "%s", heddle_mpi_message());
}

static int check(const struct command *command, const struct settings *s, struct failure *why) {
  const size_t files = command->id == COMMAND_DOT ? 2 : 1;
  if (s->axis)
    return fail(why, EXIT_USAGE, "--axis is not for several ranks: leave out mpirun and mpi");
  if (s->key_count > 0 || s->where)
    return fail(why, EXIT_USAGE,
                "%s is of tables of text, which one process reads: leave out mpirun and mpi",
                s->where ? "--where" : "--by");
  if (s->file_count == files) return 0;
  return fail(why, EXIT_USAGE, "heddle mpi %s takes %s, but %zu were given", command->name,
              files == 1 ? "one file" : "two files", s->file_count);
}

static int run(const struct command *command, int argc, char **argv, struct part *part,
               struct failure *why) {
  struct settings s;
  settings_init(&s);
  int status = args_parse(command->id, argc, argv, &s, why);
  if (status == 0 && s.help) {
    if (part->rank == 0) (void)help_command(command, stdout);
    part->merged = 1;
  } else if (status == 0) {
    s.part = part;
    if (part->rank != 0) s.quiet = 1;
    status = check(command, &s, why);
    if (status == 0) status = output_format_settle(command->name, command->id, &s, why);
    if (status == 0) status = command->run(&s, why);
  }
  settings_free(&s);
  if (status != 0 && !part->merged) join(why);
  return status == 0 ? 0 : why->exit_code;
}

static const struct command *find(const char *name) {
  static const enum command_id ours[] = {
      COMMAND_SUM,      COMMAND_MIN,    COMMAND_MAX,      COMMAND_REDUCE, COMMAND_DOT,
      COMMAND_DESCRIBE, COMMAND_MEDIAN, COMMAND_QUANTILE, COMMAND_NTH,    COMMAND_TOP};
  for (size_t i = 0; i < command_count; i++)
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
      if (command_table[i].id == ours[k] && strcmp(command_table[i].name, name) == 0)
        return &command_table[i];
  return NULL;
}

/* The launcher of another MPI says of how many processes it has started this one, but no rank knows of
 * another. */
static int is_launched_by_another(unsigned ranks) {
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  for (size_t i = 0; ranks == 1 && i < sizeof sizes / sizeof *sizes; i++) {
    const char *size = getenv(sizes[i]);
    if (size && strtol(size, NULL, 10) > 1) return 1;
  }
  return 0;
}

/* The exit code of this rank; 0 or why->exit_code. */
static int dispatch(int argc, char **argv, struct part *part, struct failure *why) {
  const char *name = argc > 1 ? argv[1] : "--help";
  const struct command *command = find(name);
  if (is_launched_by_another(part->ranks))
    (void)fail(
        why, EXIT_USAGE,
        "heddle mpi was built with another MPI than this mpirun belongs to: every rank takes "
        "itself for the only one");
  else if (command)
    return run(command, argc - 2, argv + 2, part, why);
  else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
    return part->rank == 0 && fputs(usage, stdout) < 0 ? EXIT_DATA : 0;
  else
    (void)fail(why, EXIT_USAGE,
               "heddle mpi has no '%s', but sum, min, max, reduce, dot, describe, median, "
               "quantile, nth and "
               "top; heddle mpi --help tells more",
               name);
  return why->exit_code;
}

int main(int argc, char **argv) {
  int rank = 0, ranks = 1;
  struct failure why = {EXIT_DATA, ""};
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return EXIT_DATA;
  interrupt_catch();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct part part = {(unsigned)rank, (unsigned)ranks, merge, 0};
  int code = dispatch(argc, argv, &part, &why);
  if (rank == 0 && code != 0 && why.text[0] != '\0') terminal_message(why.text);
  /* Behind the merge rank 0 is alone, and all end as it does. */
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return code;
}
