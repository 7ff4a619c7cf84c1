/* cuRAND's host API: generators that fill an array.
 *
 * Result   integers, uniform, normal, log-normal and Poisson numbers from one sequence
 * Method   one engine a generator, run on the calling thread. A generator of CreateGenerator
 *          writes device memory: other addresses are refused as a failed launch
 * Limits   the numbers are not cuRAND's, the distributions are; ordering and streams change
 *          nothing, since every call has ended when it returns
 * Source   Matsumoto and Nishimura, "Mersenne Twister" (1998); Box and Muller (1958);
 *          Hörmann, "The transformed rejection method for generating Poisson random variables"
 *          (1993) */
#include "curand.h"
#include "observer.h"
#include "runtime.h"
#include "simt/math/math_special.h"
#include "simt/random/random_engines.h"
#include "sobol.h"
#include <math.h>
#include <stdlib.h>

enum { MT_WORDS = 624, MT_MIDDLE = 397 };
enum engine { XORWOW, MRG32K3A, PHILOX, MT19937, SOBOL32, SOBOL64 };

struct twister {
  unsigned word[MT_WORDS];
  int at;
};

struct curandGenerator_st {
  enum engine engine;
  bool on_host, started, scrambled;
  unsigned dimensions;
  unsigned long long seed, offset;
  cudaStream_t stream;
  union {
    struct curandStateXORWOW xorwow;
    struct curandStateMRG32k3a mrg;
    struct curandStatePhilox4_32_10 philox;
    struct twister twister;
    struct sobol sobol;
  } state;
};

/* ---- Engines ------------------------------------------------------------------------------ */

static unsigned twister_next(struct twister *t) {
  if (t->at == MT_WORDS) {
    for (int i = 0; i < MT_WORDS; i++) {
      const unsigned next = t->word[(i + 1) % MT_WORDS];
      const unsigned y = (t->word[i] & 0x80000000u) | (next & 0x7fffffffu);
      t->word[i] = t->word[(i + MT_MIDDLE) % MT_WORDS] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    t->at = 0;
  }
  unsigned y = t->word[t->at++];
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}

static void twister_init(struct twister *t, unsigned long long seed, unsigned long long offset) {
  t->word[0] = (unsigned)(seed ^ seed >> 32);
  for (unsigned i = 1; i < MT_WORDS; i++)
    t->word[i] = 1812433253u * (t->word[i - 1] ^ t->word[i - 1] >> 30) + i;
  t->at = MT_WORDS;
  for (unsigned long long i = 0; i < offset; i++) (void)twister_next(t);
}

static void start(struct curandGenerator_st *g) {
  if (g->started) return;
  g->started = true;
  switch (g->engine) {
  case XORWOW: simt_xorwow_init(g->seed, 0, g->offset, &g->state.xorwow); break;
  case MRG32K3A: simt_mrg_init(g->seed, 0, g->offset, &g->state.mrg); break;
  case PHILOX: simt_philox_init(g->seed, 0, g->offset, &g->state.philox); break;
  case MT19937: twister_init(&g->state.twister, g->seed, g->offset); break;
  case SOBOL32:
  case SOBOL64:
    g->state.sobol = (struct sobol){.first = g->offset, .scrambled = g->scrambled};
    break;
  }
}

static inline unsigned next(struct curandGenerator_st *g) {
  switch (g->engine) {
  case XORWOW: return simt_xorwow(&g->state.xorwow);
  case PHILOX: return simt_philox_number(&g->state.philox);
  case MT19937: return twister_next(&g->state.twister);
  case SOBOL32:
  case SOBOL64: return (unsigned)(sobol_next(&g->state.sobol) >> 32);
  default: return (unsigned)((simt_mrg(&g->state.mrg) - 1) * 1.0000000488943631);
  }
}

/* (0, 1] */
static inline float next_float(struct curandGenerator_st *g) {
  return (float)next(g) * 0x1p-32f + 0x1p-33f;
}
static inline double next_double(struct curandGenerator_st *g) {
  if (g->engine == SOBOL32) return next(g) * 0x1p-32 + 0x1p-33;
  if (g->engine == SOBOL64) return (double)(sobol_next(&g->state.sobol) >> 11) * 0x1p-53 + 0x1p-54;
  const unsigned low = next(g);
  return (double)(low ^ (unsigned long long)next(g) << 21) * 0x1p-53 + 0x1p-54;
}

/* One coordinate of a quasi-random point must stay one number. */
static bool is_quasi(const struct curandGenerator_st *g) { return g->engine >= SOBOL32; }

static void next_normals(struct curandGenerator_st *g, double pair[2]) {
  const double radius = sqrt(-2 * log(next_double(g)));
  const double angle = 6.283185307179586477 * next_double(g);
  pair[0] = radius * sin(angle);
  pair[1] = radius * cos(angle);
}

/* ---- Generators --------------------------------------------------------------------------- */

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
  static const struct {
    curandRngType_t type;
    enum engine engine;
    bool scrambled;
  } engines[] = {
      {CURAND_RNG_PSEUDO_DEFAULT, XORWOW, false},
      {CURAND_RNG_PSEUDO_XORWOW, XORWOW, false},
      {CURAND_RNG_PSEUDO_MRG32K3A, MRG32K3A, false},
      {CURAND_RNG_PSEUDO_MTGP32, MT19937, false},
      {CURAND_RNG_PSEUDO_MT19937, MT19937, false},
      {CURAND_RNG_PSEUDO_PHILOX4_32_10, PHILOX, false},
      {CURAND_RNG_QUASI_DEFAULT, SOBOL32, false},
      {CURAND_RNG_QUASI_SOBOL32, SOBOL32, false},
      {CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, SOBOL32, true},
      {CURAND_RNG_QUASI_SOBOL64, SOBOL64, false},
      {CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, SOBOL64, true},
  };
  for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
    if (engines[i].type != type) continue;
    struct curandGenerator_st *g = calloc(1, sizeof *g);
    if (!g) return CURAND_STATUS_ALLOCATION_FAILED;
    g->engine = engines[i].engine;
    g->scrambled = engines[i].scrambled;
    g->dimensions = 1;
    g->on_host = on_host;
    *generator = g;
    return CURAND_STATUS_SUCCESS;
  }
  return CURAND_STATUS_TYPE_ERROR;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  free(generator);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  if (!value || (int)type < 0 || (int)type > 2) return CURAND_STATUS_OUT_OF_RANGE;
  const int parts[3] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  *value = parts[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  if (is_quasi(generator)) return CURAND_STATUS_TYPE_ERROR;
  generator->seed = seed;
  generator->started = false;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->offset = offset;
  generator->started = false;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  const bool for_quasi = order == CURAND_ORDERING_QUASI_DEFAULT;
  return for_quasi == is_quasi(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned dimensions) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  if (!is_quasi(generator)) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > SOBOL_DIMENSIONS) return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = dimensions;
  generator->started = false;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  start(generator);
  return CURAND_STATUS_SUCCESS;
}

/* ---- Arrays ------------------------------------------------------------------------------- */

/* The observer learns what is written; false: it does not fit. */
static bool notify(curandGenerator_t g, void *output, size_t bytes) {
  const struct sd_copy fill = {
      .dst = output, .width = bytes, .height = 1, .depth = 1, .stream = g->stream};
  const int error = g->on_host ? 0 : (int)rt_check_span(output, bytes, RT_DEVICE_SIDE);
  if (bytes) SD_NOTIFY(filled, &fill, error);
  return !bytes || !error;
}

/* Starts the engine and checks the array; `multiple` is what the count must be one of. */
static curandStatus_t prepare(curandGenerator_t g, void *output, size_t count, size_t multiple,
                              size_t element_bytes) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (is_quasi(g)) multiple = g->dimensions;
  if (count % multiple != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  sd_drain();
  const enum sd_space space = sd_space_of(output);
  const bool device = space == SD_DEVICE_MEMORY || space == SD_HOST_MEMORY_OPEN;
  if (count != 0 && !g->on_host && !device) return CURAND_STATUS_LAUNCH_FAILURE;
  if (sd_observer && !notify(g, output, count * element_bytes)) return CURAND_STATUS_LAUNCH_FAILURE;
  start(g);
  if (is_quasi(g)) sobol_begin(&g->state.sobol, count / g->dimensions);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *output, size_t count) {
  const curandStatus_t status = prepare(generator, output, count, 1, sizeof *output);
  if (status != CURAND_STATUS_SUCCESS) return status;
  for (size_t i = 0; i < count; i++) output[i] = next(generator);
  return CURAND_STATUS_SUCCESS;
}

/* As with cuRAND, 64-bit integers come from the 64-bit quasi-random types alone. */
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *output,
                                      size_t count) {
  if (generator && generator->engine != SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  const curandStatus_t status = prepare(generator, output, count, 1, sizeof *output);
  if (status != CURAND_STATUS_SUCCESS) return status;
  for (size_t i = 0; i < count; i++) output[i] = sobol_next(&generator->state.sobol);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, size_t count) {
  const curandStatus_t status = prepare(generator, output, count, 1, sizeof *output);
  if (status != CURAND_STATUS_SUCCESS) return status;
  for (size_t i = 0; i < count; i++) output[i] = next_float(generator);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output,
                                           size_t count) {
  const curandStatus_t status = prepare(generator, output, count, 1, sizeof *output);
  if (status != CURAND_STATUS_SUCCESS) return status;
  for (size_t i = 0; i < count; i++) output[i] = next_double(generator);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, size_t count,
                                    float mean, float deviation) {
  const curandStatus_t status = prepare(generator, output, count, 2, sizeof *output);
  if (status != CURAND_STATUS_SUCCESS) return status;
  const bool quasi = is_quasi(generator);
  for (size_t i = 0; quasi && i < count; i++)
    output[i] = mean + deviation * (float)simt_normcdfinv(next_double(generator));
  for (size_t i = 0; !quasi && i < count; i += 2) {
    const float radius = deviation * sqrtf(-2 * logf(next_float(generator)));
    const float angle = 6.2831853071795865f * next_float(generator);
    output[i] = mean + radius * sinf(angle);
    output[i + 1] = mean + radius * cosf(angle);
  }
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output, size_t count,
                                          double mean, double deviation) {
  const curandStatus_t status = prepare(generator, output, count, 2, sizeof *output);
  if (status != CURAND_STATUS_SUCCESS) return status;
  const bool quasi = is_quasi(generator);
  for (size_t i = 0; quasi && i < count; i++)
    output[i] = mean + deviation * simt_normcdfinv(next_double(generator));
  for (size_t i = 0; !quasi && i < count; i += 2) {
    double pair[2];
    next_normals(generator, pair);
    output[i] = mean + deviation * pair[0];
    output[i + 1] = mean + deviation * pair[1];
  }
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output, size_t count,
                                       float mean, float deviation) {
  const curandStatus_t status = curandGenerateNormal(generator, output, count, mean, deviation);
  if (status != CURAND_STATUS_SUCCESS) return status;
  for (size_t i = 0; i < count; i++) output[i] = expf(output[i]);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output,
                                             size_t count, double mean, double deviation) {
  const curandStatus_t status =
      curandGenerateNormalDouble(generator, output, count, mean, deviation);
  if (status != CURAND_STATUS_SUCCESS) return status;
  for (size_t i = 0; i < count; i++) output[i] = exp(output[i]);
  return CURAND_STATUS_SUCCESS;
}

/* ---- Poisson ------------------------------------------------------------------------------ */

/* The count of uniforms whose product stays above exp(-mean). */
static unsigned poisson_small(struct curandGenerator_st *g, double end) {
  unsigned count = 0;
  for (double product = next_double(g); product > end; count++) product *= next_double(g);
  return count;
}

/* Hörmann's PTRS, with his constants. */
static unsigned poisson_large(struct curandGenerator_st *g, double mean) {
  const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = next_double(g) - 0.5, v = next_double(g), us = 0.5 - fabs(u);
    if (us <= 0) continue;
    const double k = floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= v_r) return (unsigned)k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double accept = log(v) + log(inverse_alpha) - log(a / (us * us) + b);
    if (accept <= -mean + k * log(mean) - lgamma(k + 1)) return (unsigned)k;
  }
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *output, size_t count,
                                     double lambda) {
  const curandStatus_t status = prepare(generator, output, count, 1, sizeof *output);
  if (status != CURAND_STATUS_SUCCESS) return status;
  if (is_quasi(generator)) return CURAND_STATUS_TYPE_ERROR;
  if (!(lambda > 0 && lambda <= 400000)) return CURAND_STATUS_OUT_OF_RANGE;
  const double end = exp(-lambda);
  for (size_t i = 0; i < count; i++)
    output[i] = lambda < 30 ? poisson_small(generator, end) : poisson_large(generator, lambda);
  return CURAND_STATUS_SUCCESS;
}
