// The same particle update over an array of structures and a structure of arrays.
// expect: pass
#include <stdio.h>
#include <string.h>

#define N 5000

struct Vec3 {
  float x, y, z;
};

struct Particle {
  struct Vec3 pos, vel;
  float mass;
  int alive;
};

struct ParticlesSoA {
  float x[N], y[N], z[N];
  float vx[N], vy[N], vz[N];
  int alive[N];
};

struct Params {
  float dt;
  struct Vec3 gravity;
  struct {
    float lo, hi;
  } box;
};

__global__ void moveAoS(struct Particle *p, struct Params prm) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= N) return;
  struct Particle *q = &p[i];
  if (!q->alive) return;
  q->vel.x += prm.dt * prm.gravity.x;
  q->vel.y += prm.dt * prm.gravity.y;
  q->vel.z += prm.dt * prm.gravity.z;
  q->pos.x += prm.dt * q->vel.x;
  q->pos.y += prm.dt * q->vel.y;
  q->pos.z += prm.dt * q->vel.z;
  if (q->pos.y < prm.box.lo || q->pos.y > prm.box.hi) q->alive = 0;
}

__global__ void moveSoA(struct ParticlesSoA *p, const struct Params prm) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < N && p->alive[i]) {
    p->vx[i] += prm.dt * prm.gravity.x;
    p->vy[i] += prm.dt * prm.gravity.y;
    p->vz[i] += prm.dt * prm.gravity.z;
    p->x[i] += prm.dt * p->vx[i];
    p->y[i] += prm.dt * p->vy[i];
    p->z[i] += prm.dt * p->vz[i];
    if (p->y[i] < prm.box.lo || p->y[i] > prm.box.hi) p->alive[i] = 0;
  }
}

static struct Particle aos[N];
static struct ParticlesSoA soa;

int main(void) {
  struct Params prm = {0.01f, {0.0f, -9.81f, 0.5f}, {-1.0f, 3.0f}};
  int i, step, bad = 0, alive = 0;
  for (i = 0; i < N; i++) {
    memset(&aos[i], 0, sizeof aos[i]);
    aos[i].pos.x = soa.x[i] = i * 0.001f;
    aos[i].pos.y = soa.y[i] = (i % 37) * 0.05f;
    aos[i].vel.z = soa.vz[i] = 1.0f / (1 + i % 9);
    aos[i].alive = soa.alive[i] = 1;
  }
  struct Particle *d_aos;
  struct ParticlesSoA *d_soa;
  cudaMalloc((void **)&d_aos, sizeof(aos));
  cudaMalloc((void **)&d_soa, sizeof(soa));
  cudaMemcpy(d_aos, aos, sizeof(aos), cudaMemcpyHostToDevice);
  cudaMemcpy(d_soa, &soa, sizeof(soa), cudaMemcpyHostToDevice);
  for (step = 0; step < 50; step++) {
    moveAoS<<<(N + 127) / 128, 128>>>(d_aos, prm);
    moveSoA<<<(N + 127) / 128, 128>>>(d_soa, prm);
  }
  cudaMemcpy(aos, d_aos, sizeof(aos), cudaMemcpyDeviceToHost);
  cudaMemcpy(&soa, d_soa, sizeof(soa), cudaMemcpyDeviceToHost);
  for (i = 0; i < N; i++) {
    alive += aos[i].alive;
    if (aos[i].alive != soa.alive[i] || aos[i].pos.y != soa.y[i] || aos[i].pos.z != soa.z[i]) bad++;
  }
  printf("%d alive, %d differ\n", alive, bad);
  puts(!bad && alive > 0 && alive < N ? "PASSED" : "FAILED");
  cudaFree(d_aos); cudaFree(d_soa);
  return !(!bad && alive > 0 && alive < N);
}
