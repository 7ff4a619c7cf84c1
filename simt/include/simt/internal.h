/* What the program headers ask of the runtime beyond CUDA's own functions.
 *
 * Limits   private: program and library come from one build
 */
#ifndef SIMT_INTERNAL_H
#define SIMT_INTERNAL_H

#include "../driver_types.h"
#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* simt_check_symbol - cudaSuccess if [offset, offset + count) lies in the variable at `symbol`,
 * which has so many bytes */
SIMT_API cudaError_t simt_check_symbol(const void *symbol, size_t bytes, size_t offset,
                                       size_t count);
/* simt_register_symbols - where the variables of the device stand in a module of the program;
 * simt_register_constants - those that only the host writes */
SIMT_API void simt_register_symbols(const void *begin, const void *end);
SIMT_API void simt_register_constants(const void *begin, const void *end);
/* simt_device_variable - one of them, which code of the host may not touch unless it is managed. Only in
 * programs built to be checked */
SIMT_API void simt_device_variable(const void *address, size_t bytes, const char *name,
                                   int managed);
/* simt_bytes_from - how much memory of the device begins at an address */
SIMT_API size_t simt_bytes_from(const void *address);
SIMT_API cudaError_t simt_configure_ex(const cudaLaunchConfig_t *config);
SIMT_API cudaError_t simt_launch_result(void); /* of this thread's last launch */

#ifdef __cplusplus
}
#endif
#endif
