/* cache.h - compiled kernels, kept in this process and in a folder of the user's */
#ifndef HEDDLE_CUDA_COMPILE_CACHE_H
#define HEDDLE_CUDA_COMPILE_CACHE_H

#include "nvrtc.h"
#include "sha256.h"

enum { HD_MOST_IMAGE_BYTES = 64 << 20 };

struct hd_cuda_cache_key {
  u8 hash[HD_SHA256_BYTES]; /* of everything that the image depends on */
};

/* What this process has seen: *out stays valid for its life, and must not be freed. */
bool hd_cuda_cache_recall(const struct hd_cuda_cache_key *key, struct hd_cuda_image *out);
/* Takes image->data over and gives back what is kept: another thread may have been faster. */
struct hd_cuda_image hd_cuda_cache_remember(const struct hd_cuda_cache_key *key,
                                            struct hd_cuda_image image);

/* The folder: false if there is no such file, or none that can be trusted. */
bool hd_cuda_cache_read(const struct hd_cuda_cache_key *key, struct hd_cuda_image *out);
/* A cache that cannot be written is no failure. */
void hd_cuda_cache_write(const struct hd_cuda_cache_key *key, const struct hd_cuda_image *image);

#endif
