// SHA-256 and CRC-32 of many short messages, a password search with early exit flag, uint64 mixing.
// expect: pass
#include <cstdint>
#include <cstdio>
#include <cstring>

typedef uint8_t byte;
typedef uint32_t u32;

__constant__ u32 dev_k[64];
static const u32 host_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROTR(a, b) (((a) >> (b)) | ((a) << (32 - (b))))
#define CHOOSE(x, y, z) (((x) & (y)) ^ (~(x) & (z)))
#define MAJORITY(x, y, z) (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))
#define BIG0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define BIG1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define SMALL0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define SMALL1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))

// Messages of up to 55 bytes: one block of the hash.
__host__ __device__ void sha256(const byte *data, int len, u32 *digest) {
#ifdef __CUDA_ARCH__
  const u32 *k = dev_k;
#else
  const u32 *k = host_k;
#endif
  byte block[64] = {0};
  for (int i = 0; i < len; ++i) block[i] = data[i];
  block[len] = 0x80;
  block[62] = (byte)(len * 8 >> 8), block[63] = (byte)(len * 8);
  u32 m[64], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int i = 0, j = 0; i < 16; ++i, j += 4)
    m[i] =
        ((u32)block[j] << 24) | ((u32)block[j + 1] << 16) | ((u32)block[j + 2] << 8) | block[j + 3];
  for (int i = 16; i < 64; ++i) m[i] = SMALL1(m[i - 2]) + m[i - 7] + SMALL0(m[i - 15]) + m[i - 16];
  u32 a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
  for (int i = 0; i < 64; ++i) {
    u32 t1 = h + BIG1(e) + CHOOSE(e, f, g) + k[i] + m[i], t2 = BIG0(a) + MAJORITY(a, b, c);
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const u32 add[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) digest[i] = s[i] + add[i];
}

__host__ __device__ uint32_t crc32(const byte *p, int n) {
  uint32_t c = ~0u;
  while (n--) {
    c ^= *p++;
    for (int k = 0; k < 8; ++k) c = c & 1 ? (c >> 1) ^ 0xEDB88320u : c >> 1;
  }
  return ~c;
}

__global__ void hash_all(const byte *text, const int *len, u32 *digest, uint32_t *crc, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  sha256(text + 56 * i, len[i], digest + 8 * i);
  crc[i] = crc32(text + 56 * i, len[i]);
}

__device__ volatile int found = -1;

__global__ void search(const u32 *target) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 26 * 26 * 26;
       i += gridDim.x * blockDim.x) {
    if (found >= 0) return;
    byte guess[3] = {(byte)('a' + i % 26), (byte)('a' + i / 26 % 26), (byte)('a' + i / 676)};
    u32 d[8];
    sha256(guess, 3, d);
    bool same = true;
    for (int k = 0; k < 8; ++k) same &= d[k] == target[k];
    if (same) found = i;
  }
}

int main() {
  const int n = 300;
  static byte text[n * 56];
  static int len[n];
  static u32 digest[n * 8], want[8];
  static uint32_t crc[n];
  for (int i = 0; i < n; ++i) {
    len[i] = i % 56;
    for (int k = 0; k < len[i]; ++k) text[56 * i + k] = (byte)(i * 31 + k * 7);
  }
  cudaMemcpyToSymbol(dev_k, host_k, sizeof(host_k));
  byte *dt;
  int *dl;
  u32 *dd;
  uint32_t *dc;
  cudaMalloc(&dt, sizeof text), cudaMalloc(&dl, sizeof len), cudaMalloc(&dd, sizeof digest),
      cudaMalloc(&dc, sizeof crc);
  cudaMemcpy(dt, text, sizeof text, cudaMemcpyHostToDevice);
  cudaMemcpy(dl, len, sizeof len, cudaMemcpyHostToDevice);
  hash_all<<<(n + 63) / 64, 64>>>(dt, dl, dd, dc, n);
  cudaMemcpy(digest, dd, sizeof digest, cudaMemcpyDeviceToHost);
  cudaMemcpy(crc, dc, sizeof crc, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    sha256(text + 56 * i, len[i], want);
    bad += memcmp(want, digest + 8 * i, 32) != 0 || crc[i] != crc32(text + 56 * i, len[i]);
  }
  sha256((const byte *)"abc", 3, want);
  bad += want[0] != 0xba7816bf || crc32((const byte *)"123456789", 9) != 0xCBF43926u;
  cudaMemcpy(dd, want, sizeof want, cudaMemcpyHostToDevice);
  search<<<8, 128>>>(dd);
  int f = 0;
  cudaMemcpyFromSymbol(&f, found, sizeof f);
  bad += f != 0 + 26 * 1 + 676 * 2;
  printf("%d wrong, found %d\n%s\n", bad, f, bad ? "FAILED" : "PASSED");
  cudaFree(dt); cudaFree(dl); cudaFree(dd); cudaFree(dc);
  return bad;
}
