/* sha256.h - the hash that names kernels in the cache and tells a damaged file */
#ifndef HEDDLE_CUDA_COMPILE_SHA256_H
#define HEDDLE_CUDA_COMPILE_SHA256_H

#include <stddef.h>

#include "order/types.h"

enum { HD_SHA256_BYTES = 32 };

struct hd_cuda_sha256 {
  u32 h[8];
  u64 bytes;
  u8 block[64];
};

void hd_cuda_sha256_begin(struct hd_cuda_sha256 *hash);
void hd_cuda_sha256_add(struct hd_cuda_sha256 *hash, const void *data, size_t bytes);
void hd_cuda_sha256_end(struct hd_cuda_sha256 *hash, u8 out[HD_SHA256_BYTES]);

#endif
