/* terminal.h - what may be written to a terminal: width, colour, characters */
#ifndef HEDDLE_CLI_REPORT_TERMINAL_H
#define HEDDLE_CLI_REPORT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Columns of the terminal at `descriptor`: its own width, else $COLUMNS, else 80; 20 to 1000. */
size_t terminal_width(int descriptor);

/* Colour is wanted: a terminal, NO_COLOR unset or empty, TERM neither unset nor "dumb". */
bool terminal_colour(int descriptor);

/* Drawing with characters beyond ASCII is wanted: the locale is not one without UTF-8 (LC_ALL, else
 * LC_CTYPE, else LANG; none of them set says nothing). */
bool terminal_utf8(void);
/* TERM is "dumb". */
bool terminal_dumb(void);

/* A message to standard error, "heddle: " in front; nothing in it that a terminal obeys. */
void terminal_message(const char *text);

/* Columns that UTF-8 text takes, a character each; bytes that are not UTF-8 count one each. */
size_t terminal_columns(const char *text);

#endif
