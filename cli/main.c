/* main.c - finds the command, runs it, reports what went wrong
 *
 * Method  Built-in commands first; then heddle-NAME in ../libexec/heddle beside this executable,
 *         as git finds its own; never in the current directory.
 * Exit    0; 1 data or input/output; 2 usage; 130 interrupted; SIGPIPE ends in silence */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/suggest.h"
#include "input/helper/hdf5.h"
#include "options/commands.h"
#include "options/format.h"
#include "options/help.h"
#include "options/programs.h"
#include "options/synonyms.h"
#include "output/interrupt.h"
#include "report/terminal.h"

static int report(const struct failure *why) {
  if (why->text[0] != '\0') terminal_message(why->text);
  return why->exit_code;
}

/* Runs heddle-NAME from libexec; returns only if there is none. */
static void run_external(const char *name, char **argv) {
  char path[4096];
  interrupt_release();
  if (program_path(name, path, sizeof path)) execv(path, argv);
}

static int unknown_command(const char *name, char **argv) {
  struct failure why;
  struct suggestion near;
  char hint[160];
  run_external(name, argv);
  if (errno != ENOENT && errno != ENOTDIR && errno != 0)
    (void)fail(&why, EXIT_DATA, "heddle-%s is there but cannot be run: %s", name, strerror(errno));
  else if (access(name, F_OK) == 0)
    (void)fail(&why, EXIT_USAGE, "'%s' is a file, but a command comes first: heddle describe %s",
               name, name);
  else if (synonym_of_command(name))
    (void)fail(&why, EXIT_USAGE, "there is no command '%s': %s; heddle --help lists them", name,
               synonym_of_command(name));
  else {
    suggest_start(&near, name);
    for (size_t i = 0; i < command_count; i++) suggest_add(&near, command_table[i].name);
    for (size_t i = 0; i < program_count; i++)
      if (program_is_there(program_table[i].name)) suggest_add(&near, program_table[i].name);
    (void)fail(&why, EXIT_USAGE, "there is no command '%s'%s heddle --help lists them", name,
               near.best ? suggest_text(&near, "", hint, sizeof hint) : ";");
  }
  return report(&why);
}

static int check_files(const struct command *command, struct settings *s, struct failure *why) {
  if (s->file_count == 0 && command->least == 1 && command->most > 0)
    s->files[s->file_count++] = "-";
  if (s->file_count > command->most)
    return fail(why, EXIT_USAGE, "heddle %s takes %s, but %zu were given, the last '%s'",
                command->name,
                command->most == 0   ? "no files"
                : command->most == 1 ? "one file"
                                     : "two files",
                s->file_count, s->files[s->file_count - 1]);
  size_t standard = 0;
  for (size_t i = 0; i < s->file_count; i++) standard += strcmp(s->files[i], "-") == 0;
  if (standard > 1)
    return fail(why, EXIT_USAGE, "'-', standard input, can be read once, but is given %zu times",
                standard);
  return 0;
}

/* Some options are another command's work. */
static int (*work_of(const struct command *command,
                     const struct settings *s))(const struct settings *, struct failure *) {
  if (settings_group(s)) return command_by;
  return s->distinct ? command_distinct : command->run;
}

static int run(const struct command *command, int argc, char **argv) {
  struct settings s;
  struct failure why = {EXIT_DATA, ""};
  settings_init(&s);
  int code = 0;
  if (args_parse(command->id, argc, argv, &s, &why) != 0) {
    code = report(&why);
  } else if (s.help) {
    code = help_command(command, stdout);
  } else if (s.version) {
    code = help_version();
  } else if (s.file_count == 0 && command->most > 0 && isatty(STDIN_FILENO)) {
    (void)help_command(command, stderr);
    code = EXIT_USAGE;
  } else if (check_files(command, &s, &why) != 0 ||
             output_format_settle(command->name, settings_group(&s) ? COMMAND_GROUP : command->id,
                                  &s, &why) != 0 ||
             work_of(command, &s)(&s, &why) != 0) {
    code = report(&why);
  }
  settings_free(&s);
  return code;
}

int main(int argc, char **argv) {
  interrupt_catch();
  if (argc < 2) return help_short(stdout);
  const char *name = argv[1];
  if (strcmp(name, HDF5_CHILD) == 0) return hdf5_child(argv[2]);
  hdf5_allow();
  if (strcmp(name, "--version") == 0) return help_version();
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return help_all();
  if (strcmp(name, "help") == 0 && argc == 2) return help_all();
  if (strcmp(name, "help") == 0 && strcmp(argv[2], "--options") == 0) return help_table();
  char *help_argv[] = {NULL, (char[]){"--help"}, NULL}, **rest = argv + 1;
  if (strcmp(name, "help") == 0) {
    name = help_argv[0] = argv[2];
    rest = help_argv;
  }
  for (size_t i = 0; i < command_count; i++) {
    if (strcmp(command_table[i].name, name) != 0) continue;
    if (name == argv[2]) return help_command(&command_table[i], stdout);
    return run(&command_table[i], argc - 2, argv + 2);
  }
  if (name[0] == '-') {
    struct failure why;
    (void)fail(&why, EXIT_USAGE,
               "options come after the command, as in heddle sum %s; heddle --help lists the "
               "commands",
               name);
    return report(&why);
  }
  return unknown_command(name, rest);
}
