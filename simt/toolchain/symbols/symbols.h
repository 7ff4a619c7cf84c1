/* symbols.h - from addresses in a program to lines of its sources
 *
 * Method  addresses are collected first, then one run of addr2line answers for all of them
 * Limits  what lies outside the program's own file (shared libraries) has no line here
 */
#ifndef SIMT_TOOLCHAIN_SYMBOLS_SYMBOLS_H
#define SIMT_TOOLCHAIN_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct text;

struct frame {
  const char *file; /* relative to the current folder if it lies below it; NULL: unknown */
  unsigned line;
  const char *function; /* as a programmer calls it (function_name.h); NULL: unknown */
  unsigned lambdas;     /* how many lambdas deep in that function */
  bool own;             /* in simt's headers or the system's, so not the user's code */
};

struct symbols;

/* symbols_open - `program`: an ELF file; `own`: the folder of simt's headers. Never NULL */
struct symbols *symbols_open(const char *program, const char *own);
/* symbols_object - another file, whose addresses stand from begin to end of those that are added */
void symbols_object(struct symbols *s, const char *path, uint64_t begin, uint64_t end);
/* symbols_add - wants the line of a return address, less the load address: that of the call,
 * so pc - 1 is what is looked up. For an exact address add and find pc + 1. */
void symbols_add(struct symbols *s, uint64_t pc);
/* symbols_resolve - once, after all addresses are added. False: `why` says what is missing,
 * and nothing will be found. */
bool symbols_resolve(struct symbols *s, struct text *why);
/* symbols_find - the function at pc and those that it was inlined into, innermost first;
 * returns their number, 0 if the place is unknown */
size_t symbols_find(const struct symbols *s, uint64_t pc, const struct frame **frames);
/* symbols_inside - pc lies in the program's own file */
bool symbols_inside(const struct symbols *s, uint64_t pc);
/* symbols_location - of a stack, innermost pc first and ended by 0: the innermost frame of the
 * user's code, else the innermost at all; NULL if nothing is known */
const struct frame *symbols_location(const struct symbols *s, const uint64_t *pcs, size_t count);
void symbols_close(struct symbols *s);

/* symbols_relative - the end of `path` as seen from the current folder, if it lies below it */
const char *symbols_relative(const struct symbols *s, const char *path);

/* symbols_is_elf - the file begins as a program does */
bool symbols_is_elf(const char *path);

#endif
