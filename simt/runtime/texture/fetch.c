/* Texture fetches and surface addresses on the device.
 *
 * Method   per axis: the element before the position, the one behind it, and the weight between
 *          them with 8 fractional bits, as the hardware has it; then up to eight elements
 * Limits   the hardware's own conversion from sRGB is coarser; some filtered values in three
 *          dimensions differ by a 256th of the elements' difference; cube maps are filtered within
 *          a face, where the hardware takes the neighbouring face's elements beyond an edge
 * Source   CUDA C++ Programming Guide, section Texture Fetching; rounding as an H200 has it
 */
#include "observer.h"
#include "texture.h"

#include <math.h>
#include <string.h>

enum { TEXELS = 8 };

/* What the last fetch has read. */
static _Thread_local struct {
  const void *at[TEXELS];
  int count;
  size_t bytes;
} texels;

struct axis {
  long at[2]; /* elements, -1 for the border */
  int weight; /* of the second, in 256ths */
};

static const struct simt_texture *texture_of(unsigned long long object, const void *frame) {
  const struct simt_texture *t = (const struct simt_texture *)(uintptr_t)object;
  texels.count = 0;
  if (rt_is_texture(t) && t->data && !t->surface) return t;
  sd_report_illegal_call(SD_BAD_CALL, frame, "texture object %#llx does not exist", object);
  sd_fail_launch(cudaErrorIllegalAddress);
}

/* ---- Elements -------------------------------------------------------------------------------- */

static float half_to_float(uint16_t h) {
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  const float sign = h & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 0) return sign * ldexpf((float)fraction, -24);
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  return sign * ldexpf((float)(1024 + fraction), exponent - 25);
}

static float from_srgb(float c) {
  return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static float unit(const struct simt_texture *t, int value, int channel) {
  static const float most[2][2] = {{127.0f, 255.0f}, {32767.0f, 65535.0f}};
  const bool is_unsigned = t->kind == cudaChannelFormatKindUnsigned;
  const float u = (float)value / most[t->bits == 16][is_unsigned];
  if (!is_unsigned) return u < -1.0f ? -1.0f : u;
  return t->srgb && channel < 3 ? from_srgb(u) : u;
}

static int integer(const struct simt_texture *t, const unsigned char *p) {
  const bool is_unsigned = t->kind == cudaChannelFormatKindUnsigned;
  uint16_t half;
  int word;
  if (t->bits == 8) return is_unsigned ? *p : (int8_t)*p;
  if (t->bits == 16) {
    memcpy(&half, p, sizeof half);
    return is_unsigned ? half : (int16_t)half;
  }
  memcpy(&word, p, sizeof word);
  return word;
}

static void read_element(const struct simt_texture *t, const unsigned char *p,
                         union simt_texel *texel) {
  memset(texel, 0, sizeof *texel);
  for (int c = 0; c < t->channels; c++, p += t->bits / 8) {
    const int value = integer(t, p);
    if (t->kind != cudaChannelFormatKindFloat)
      t->as_float ? (void)(texel->f[c] = unit(t, value, c)) : (void)(texel->i[c] = value);
    else if (t->bits == 16)
      texel->f[c] = half_to_float((uint16_t)value);
    else
      texel->i[c] = value;
  }
}

/* The border colour goes through the texture's format like a stored element: integers take its
 * bits, normalised ones its value in steps of theirs. */
static void border(const struct simt_texture *t, union simt_texel *texel) {
  const bool is_unsigned = t->kind == cudaChannelFormatKindUnsigned;
  memset(texel, 0, sizeof *texel);
  for (int c = 0; c < t->channels; c++) {
    const float colour = t->border[c];
    unsigned char bits[4];
    memcpy(bits, &colour, sizeof bits);
    if (t->kind == cudaChannelFormatKindFloat) {
      texel->f[c] = colour;
    } else if (!t->as_float) {
      texel->i[c] = integer(t, bits);
    } else {
      const float least = is_unsigned ? 0.0f : -1.0f;
      const float most = (float)((1 << (t->bits - !is_unsigned)) - 1);
      const float bounded = fminf(fmaxf(colour, least), 1.0f);
      texel->f[c] = t->srgb ? bounded : rintf(bounded * most) / most;
    }
  }
}

static void element(const struct simt_texture *t, long x, long y, long z, union simt_texel *texel) {
  if (x < 0 || y < 0 || z < 0) {
    border(t, texel);
    return;
  }
  const size_t bytes = (size_t)(t->channels * t->bits / 8);
  const unsigned char *at =
      t->data + (size_t)z * t->slice + (size_t)y * t->pitch + (size_t)x * bytes;
  texels.bytes = bytes;
  if (sd_observer && texels.count < TEXELS) texels.at[texels.count++] = at;
  read_element(t, at, texel);
}

/* ---- Axes ------------------------------------------------------------------------------------ */

static long bring_in(long i, long n, enum cudaTextureAddressMode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
  case cudaAddressModeWrap: return (i % n + n) % n;
  case cudaAddressModeMirror: i = (i % (2 * n) + 2 * n) % (2 * n); return i < n ? i : 2 * n - 1 - i;
  case cudaAddressModeClamp: return i < 0 ? 0 : n - 1;
  default: return -1;
  }
}

static struct axis locate(const struct simt_texture *t, float x, size_t size, int axis) {
  const float n = (float)size;
  struct axis a = {{0, 0}, 0};
  if (t->normalized) {
    const enum cudaTextureAddressMode mode = t->address[axis];
    const float whole = floorf(x);
    if (mode == cudaAddressModeWrap) x -= whole;
    if (mode == cudaAddressModeMirror)
      x = fmodf(fabsf(whole), 2.0f) != 0.0f ? 1.0f - (x - whole) : x - whole;
    x *= n;
  }
  if (!(x > -1e9f)) x = -1e9f; /* nan too */
  if (x > 1e9f) x = 1e9f;
  if (t->filter == cudaFilterModeLinear) x -= 0.5f;
  const float low = floorf(x);
  if (t->filter == cudaFilterModeLinear) a.weight = (int)floorf((x - low) * 256.0f + 0.5f);
  a.at[0] = bring_in((long)low, (long)size, t->address[axis]);
  a.at[1] = bring_in((long)low + 1, (long)size, t->address[axis]);
  return a;
}

/* `weight` 256ths, shared between the two elements of an axis; of two shares that are halves one
 * is rounded up and one down. */
static void share(int weight, const struct axis *axis, bool up, int parts[2]) {
  parts[1] = (weight * axis->weight + 127 + up) / 256;
  parts[0] = weight - parts[1];
}

/* Weights in 256ths are shared out over z, then x, then y; the sum is exact before it is rounded.
 * So found by comparison with an H200: of 64 positions 64 agree in two dimensions, 63 in three. */
static void filter(const struct simt_texture *t, const struct axis axes[3],
                   union simt_texel *texel) {
  double sum[4] = {0, 0, 0, 0};
  int of_z[2], of_x[2], of_y[2];
  share(256, &axes[2], true, of_z);
  for (int corner = 0; corner < 8; corner++) {
    const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
    union simt_texel one;
    share(of_z[z], &axes[0], true, of_x);
    share(of_x[x], &axes[1], x == 1, of_y);
    if (of_y[y] == 0) continue;
    element(t, axes[0].at[x], axes[1].at[y], axes[2].at[z], &one);
    for (int c = 0; c < 4; c++) sum[c] += (double)of_y[y] / 256 * (double)one.f[c];
  }
  for (int c = 0; c < 4; c++) {
    /* Normalised unsigned elements are filtered with 16 bits. */
    const bool narrow = t->kind == cudaChannelFormatKindUnsigned && !t->srgb;
    texel->f[c] = (float)(narrow ? rint(sum[c] * 65535.0) / 65535.0 : sum[c]);
  }
}

/* ---- Cube maps ------------------------------------------------------------------------------- */

/* The face that a direction meets, and where: the axis that is the longest, x before y before z.
 * Beyond a face's ends lie its last elements. */
static int face_of(const struct simt_position *at, float *s, float *t) {
  const float x = at->x, y = at->y, z = at->z;
  const float length[3] = {fabsf(x), fabsf(y), fabsf(z)};
  int face;
  if (length[0] >= length[1] && length[0] >= length[2]) {
    face = x < 0;
    *s = face ? z : -z, *t = -y;
  } else if (length[1] >= length[2]) {
    face = 2 + (y < 0);
    *s = x, *t = y < 0 ? -z : z;
  } else {
    face = 4 + (z < 0);
    *s = z < 0 ? -x : x, *t = -y;
  }
  *s = (*s / length[face / 2] + 1) / 2;
  *t = (*t / length[face / 2] + 1) / 2;
  return face;
}

static void refuse(unsigned long long object, const void *frame, const char *what) {
  sd_report_illegal_call(SD_BAD_CALL, frame, "texture object %#llx %s", object, what);
  sd_fail_launch(cudaErrorIllegalAddress);
}

void simt_texture_cubemap(unsigned long long object, const struct simt_position *at,
                          union simt_texel *texel) {
  const struct simt_texture *t = texture_of(object, __builtin_frame_address(0));
  if (!t->cubemap) refuse(object, __builtin_frame_address(0), "is no cube map: use tex2D or tex3D");
  struct simt_texture clamped = *t;
  float x, y;
  const long face = face_of(at, &x, &y), last = (long)t->depth / 6 - 1;
  const long layer = at->layer < 0 || at->layer > last ? last : at->layer;
  clamped.normalized = true;
  clamped.address[0] = clamped.address[1] = cudaAddressModeClamp;
  const long z = 6 * layer + face;
  const struct axis a[3] = {
      locate(&clamped, x, t->width, 0), locate(&clamped, y, t->height, 1), {{z, z}, 0}};
  if (t->filter == cudaFilterModeLinear)
    filter(t, a, texel);
  else
    element(t, a[0].at[0], a[1].at[0], z, texel);
}

/* ---- What kernels call ----------------------------------------------------------------------- */

void simt_texture_fetch(unsigned long long object, int axes, const struct simt_position *at,
                        union simt_texel *texel) {
  const struct simt_texture *t = texture_of(object, __builtin_frame_address(0));
  if (t->cubemap) refuse(object, __builtin_frame_address(0), "is a cube map: use texCubemap");
  struct axis a[3] = {{{0, 0}, 0}, {{0, 0}, 0}, {{0, 0}, 0}};
  a[0] = locate(t, at->x, t->width, 0);
  /* A line is an image of one row, at whose edge it is read: filtering sees the border there. */
  if (axes > 1 || t->filter == cudaFilterModeLinear)
    a[1] = locate(t, axes > 1 ? at->y : 0.0f, t->height, 1);
  if (axes > 2) a[2] = locate(t, at->z, t->depth, 2);
  if (t->layered) {
    const long last = (long)t->depth - 1;
    a[2].at[0] = at->layer < 0 || at->layer > last ? last : at->layer;
  }
  if (t->filter == cudaFilterModeLinear)
    filter(t, a, texel);
  else
    element(t, a[0].at[0], a[1].at[0], a[2].at[0], texel);
}

void simt_texture_element(unsigned long long object, int i, union simt_texel *texel) {
  const struct simt_texture *t = texture_of(object, __builtin_frame_address(0));
  const size_t bytes = (size_t)(t->channels * t->bits / 8);
  if (i < 0 || (size_t)i >= t->width)
    memset(texel, 0, sizeof *texel);
  else
    read_element(t, t->data + (size_t)i * bytes, texel);
}

const void *simt_texture_place(unsigned long long object, int i, size_t *bytes) {
  const struct simt_texture *t = texture_of(object, __builtin_frame_address(0));
  const bool inside = i >= 0 && (size_t)i < t->width;
  *bytes = inside ? (size_t)(t->channels * t->bits / 8) : 0;
  return inside ? t->data + (size_t)i * *bytes : NULL;
}

int simt_texels(const void *const **list, size_t *bytes) {
  *list = texels.at;
  *bytes = texels.bytes;
  return texels.count;
}

void simt_texture_gather(unsigned long long object, float x, float y, int component,
                         union simt_texel *texel) {
  static const int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  const struct simt_texture *t = texture_of(object, __builtin_frame_address(0));
  if (t->cubemap) refuse(object, __builtin_frame_address(0), "is a cube map: use texCubemap");
  struct simt_texture linear = *t;
  linear.filter = cudaFilterModeLinear;
  const struct axis a = locate(&linear, x, t->width, 0), b = locate(&linear, y, t->height, 1);
  for (int i = 0; i < 4; i++) {
    union simt_texel one;
    element(t, a.at[order[i][0]], b.at[order[i][1]], 0, &one);
    texel->i[i] = one.i[component & 3];
  }
}

static long bounded(long i, long n, int mode, bool *outside) {
  if (i >= 0 && i < n) return i;
  if (mode == cudaBoundaryModeClamp) return i < 0 ? 0 : n - 1;
  *outside = true;
  return 0;
}

void *simt_surface_address(unsigned long long object, int x, int y, int z, int bytes, int mode) {
  const struct simt_texture *t = (const struct simt_texture *)(uintptr_t)object;
  if (!rt_is_texture(t) || !t->data || !t->surface) {
    sd_report_illegal_call(SD_BAD_CALL, __builtin_frame_address(0),
                           "surface object %#llx does not exist", object);
    sd_fail_launch(cudaErrorIllegalAddress);
  }
  const long element_bytes = t->channels * t->bits / 8;
  bool outside = x % bytes != 0;
  const long column = bounded(x < 0 ? -1 : x / element_bytes, (long)t->width, mode, &outside);
  const long row = bounded(y, (long)t->height, mode, &outside);
  const long layer = bounded(z, (long)t->depth, mode, &outside);
  if (!outside)
    return (unsigned char *)(uintptr_t)t->data + (size_t)layer * t->slice + (size_t)row * t->pitch +
           (size_t)(column * element_bytes);
  if (mode == cudaBoundaryModeZero) return NULL;
  sd_report_illegal_call(
      SD_OUT_OF_BOUNDS, __builtin_frame_address(0),
      "surface access outside: byte %d of row %d, layer %d; the surface has %zu x %zu x %zu "
      "elements of %ld bytes",
      x, y, z, t->width, t->height, t->depth, element_bytes);
  sd_fail_launch(cudaErrorIllegalAddress);
}
