/* Variables of the program's modules, by address. */
#ifndef SIMT_CHECK_SYMBOLS_H
#define SIMT_CHECK_SYMBOLS_H

#include "module.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool ck_symbol(uintptr_t address, bool shared, const char **name, uintptr_t *begin, size_t *bytes);

bool ck_have_symbols(void);
/* ck_is_behind_variables - an overrun of a __device__ variable that no other one catches */
bool ck_is_behind_variables(uintptr_t address);
/* ck_is_of_host - in a variable of the host */
bool ck_is_of_host(uintptr_t address);
/* ck_open_symbols - the cells of the variables of a module whose kernel is launched */
void ck_open_symbols(const struct simt_module *module);
/* ck_each_symbols - for the variables of each module, whose cells are found meanwhile */
void ck_each_symbols(void (*each)(uintptr_t begin, size_t bytes));
void ck_add_symbols(const struct simt_module *module); /* it has been loaded */
void ck_remove_symbols(const struct simt_module *module);

#endif
