/* options.h - the command line of heddle-check */
#ifndef SIMT_REPORT_CHECK_OPTIONS_H
#define SIMT_REPORT_CHECK_OPTIONS_H

#include <stdint.h>

#include "rules.h"
#include "toolchain/options.h"

struct check_options {
  struct options common; /* heddle-run's */
  struct check_rules rules;
  const char *output;        /* the report's file; NULL: standard error */
  const char *sarif, *junit; /* further files; NULL: none */
  const char *sample;
  char **exec;    /* the words behind --exec, ended by NULL; NULL: not given */
  char *schedule; /* of --seed */
  bool json, quiet;
  int status;    /* if something was found */
  uint64_t most; /* findings that are shown */
};

/* check_options_read - false: a message has been printed to standard error */
bool check_options_read(struct check_options *o, int argc, char **argv);
void check_options_free(struct check_options *o);
extern const char check_options_help[];

#endif
