/* function_name.h - what a programmer calls a function, from its demangled name */
#ifndef SIMT_TOOLCHAIN_SYMBOLS_FUNCTION_NAME_H
#define SIMT_TOOLCHAIN_SYMBOLS_FUNCTION_NAME_H

/* symbols_clean - shortens `name` in place: no return type, no parameters; a lambda is the
 * function that it stands in, so the text of a kernel has the kernel's name. Returns how many
 * lambdas deep in it the code is. */
unsigned symbols_clean(char *name);

#endif
