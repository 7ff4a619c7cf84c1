/* sha256.c - SHA-256
 *
 * Result   32 bytes
 * Limits   plain C, some hundred MB/s: texts and images here are at most a few hundred kB
 * Source   NIST FIPS 180-4, Secure Hash Standard, 2015 */
#include "sha256.h"

#include <string.h>

static const u32 k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static u32 turn(u32 x, int n) { return x >> n | x << (32 - n); }

static void mix(u32 h[8], const u8 *block) {
  u32 w[64], s[8];
  for (int i = 0; i < 16; i++)
    w[i] = (u32)block[4 * i] << 24 | (u32)block[4 * i + 1] << 16 | (u32)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    u32 s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
    u32 s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  memcpy(s, h, sizeof s);
  for (int i = 0; i < 64; i++) {
    u32 s1 = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25);
    u32 choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    u32 t1 = s[7] + s1 + choice + k[i] + w[i];
    u32 s0 = turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22);
    u32 t2 = s0 + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) h[i] += s[i];
}

void hd_cuda_sha256_begin(struct hd_cuda_sha256 *hash) {
  *hash = (struct hd_cuda_sha256){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                        0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void hd_cuda_sha256_add(struct hd_cuda_sha256 *hash, const void *data, size_t bytes) {
  const u8 *from = data;
  while (bytes) {
    size_t used = hash->bytes % 64, n = 64 - used < bytes ? 64 - used : bytes;
    if (n == 64) {
      mix(hash->h, from);
    } else {
      memcpy(hash->block + used, from, n);
      if (used + n == 64) mix(hash->h, hash->block);
    }
    hash->bytes += n;
    from += n;
    bytes -= n;
  }
}

void hd_cuda_sha256_end(struct hd_cuda_sha256 *hash, u8 out[HD_SHA256_BYTES]) {
  static const u8 pad[64] = {0x80};
  u64 bits = hash->bytes * 8;
  u8 length[8];
  for (int i = 0; i < 8; i++) length[i] = (u8)(bits >> (56 - 8 * i));
  hd_cuda_sha256_add(hash, pad, 64 - (size_t)((hash->bytes + 8) % 64));
  hd_cuda_sha256_add(hash, length, sizeof length);
  for (int i = 0; i < 32; i++) out[i] = (u8)(hash->h[i / 4] >> (24 - 8 * (i % 4)));
}
