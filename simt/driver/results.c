/* Results by name and in words.
 *
 * Source   CUDA Driver API 13.0, section Error Handling
 */
#include "entry.h"

#include "cuda_runtime_api.h"

#define API_RESULT(name, number) {number, "CUDA_" #name},
static const struct {
  int number;
  const char *name;
} results[] = {
#include "results.def"
};

static const char *name_of(CUresult result) {
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    if (results[i].number == result) return results[i].name;
  return NULL;
}

API_EXPORT CUresult cuGetErrorName(CUresult result, const char **name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  *name = name_of(result);
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API_EXPORT CUresult cuGetErrorString(CUresult result, const char **text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = name_of(result) ? cudaGetErrorString((cudaError_t)result) : NULL;
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
