/* cuRAND's host API.
 *
 * Result   generators that fill device memory (curandCreateGenerator) or host memory
 *          (curandCreateGeneratorHost) with random numbers
 * Limits   XORWOW, MRG32k3a, Philox4x32-10, MT19937 (also for MTGP32) and Sobol' sequences of up
 *          to 37 dimensions. Of the same distributions as cuRAND's, not the same numbers
 * Source   cuRAND Library, Programming Guide, release 13.0 */
#ifndef SIMT_CURAND_H
#define SIMT_CURAND_H
#ifndef CURAND_H_
#define CURAND_H_
#endif

#include "cuda_runtime_api.h"
#include "library_types.h"

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VER_BUILD 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)
#define CURANDAPI

#ifdef __cplusplus
extern "C" {
#endif

enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999,
};
typedef enum curandStatus curandStatus_t;

enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204,
};
typedef enum curandRngType curandRngType_t;

enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201,
};
typedef enum curandOrdering curandOrdering_t;

enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104,
};
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

typedef struct curandGenerator_st *curandGenerator_t;

#ifndef SIMT_API
#define SIMT_API __attribute__((visibility("default")))
#endif

SIMT_API curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
SIMT_API curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                                  curandRngType_t type);
SIMT_API curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
SIMT_API curandStatus_t curandGetVersion(int *version);
SIMT_API curandStatus_t curandGetProperty(libraryPropertyType type, int *value);
SIMT_API curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
SIMT_API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                           unsigned long long seed);
SIMT_API curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                 unsigned long long offset);
SIMT_API curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                                   curandOrdering_t order);
SIMT_API curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                unsigned int dimensions);
SIMT_API curandStatus_t curandGenerateSeeds(curandGenerator_t generator);

SIMT_API curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *output,
                                       size_t count);
SIMT_API curandStatus_t curandGenerateLongLong(curandGenerator_t generator,
                                               unsigned long long *output, size_t count);
SIMT_API curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output,
                                              size_t count);
SIMT_API curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output,
                                                    size_t count);
/* Of normal and log-normal numbers an even count. */
SIMT_API curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output,
                                             size_t count, float mean, float deviation);
SIMT_API curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output,
                                                   size_t count, double mean, double deviation);
SIMT_API curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output,
                                                size_t count, float mean, float deviation);
SIMT_API curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output,
                                                      size_t count, double mean, double deviation);
SIMT_API curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *output,
                                              size_t count, double lambda);

/* The tables of Sobol' sequences, a row a dimension: host memory of the library. */
SIMT_API curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                    curandDirectionVectorSet_t set);
SIMT_API curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                                    curandDirectionVectorSet_t set);
SIMT_API curandStatus_t curandGetScrambleConstants32(unsigned int **constants);
SIMT_API curandStatus_t curandGetScrambleConstants64(unsigned long long **constants);

#ifdef __cplusplus
}
#endif
#endif
