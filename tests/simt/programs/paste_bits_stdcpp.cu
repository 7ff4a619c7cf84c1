// Everything of the standard library and all of std's names, as competition programmers have it; names that collide elsewhere.
// expect: pass
// clang-format off
#include <bits/stdc++.h>
#include <cuda.h>
using namespace std;
typedef long long ll;
typedef vector<int> vi;
typedef pair<int,int> pii;
#define pb push_back
#define all(x) (x).begin(), (x).end()
#define rep(i,a,b) for(int i=(a);i<(b);++i)
#define endl '\n'
const int MAXN = 1<<14, INF = 1e9;
int cnt, n, m, k, lft, rgt; ll ans; vi g[100]; int dist[100];

__global__ void prefix(int *a, int n) {
  __shared__ int tmp[1024];
  int i = threadIdx.x; tmp[i] = i < n ? a[i] : 0; __syncthreads();
  for (int s = 1; s < blockDim.x; s <<= 1) { int t = i >= s ? tmp[i-s] : 0; __syncthreads(); tmp[i] += t; __syncthreads(); }
  if (i < n) a[i] = tmp[i];
}
__global__ void relax(int *d, const int *u, const int *v, const int *w, int m, int *changed) {
  int e = blockIdx.x*blockDim.x+threadIdx.x;
  if (e < m) { int nd = atomicAdd(&d[u[e]], 0) + w[e]; if (nd < atomicMin(&d[v[e]], nd)) atomicExch(changed, 1); }
}
__global__ void maxi(const float *a, float *best, int n) {
  float b = -INFINITY;
  for (int i = threadIdx.x; i < n; i += blockDim.x) b = max(b, a[i]);
  b = max(b, __shfl_xor_sync(0xffffffff, b, 16)); b = fmax(b, __shfl_xor_sync(0xffffffff, b, 8));
  b = max(b, __shfl_xor_sync(0xffffffff, b, 4)); b = max(b, __shfl_xor_sync(0xffffffff, b, 2)); b = max(b, __shfl_xor_sync(0xffffffff, b, 1));
  if (threadIdx.x == 0) *best = abs(b) + sqrt(16.0f) + pow(2.0f, 2) + min(1, 2) + exp(0.0f);
}
template<class T> T *gpu(const vector<T> &v) { T *p; cudaMalloc(&p, v.size()*sizeof(T)); cudaMemcpy(p, v.data(), v.size()*sizeof(T), cudaMemcpyHostToDevice); return p; }

int main() {
  ios_base::sync_with_stdio(false); cin.tie(NULL);
  mt19937 rng(7); n = 700; m = 400; k = 100; bool ok = true;
  vi a(n), want(n); rep(i,0,n) a[i] = rng()%100; partial_sum(all(a), want.begin());
  int *d = gpu(a); prefix<<<1,1024>>>(d, n); cudaMemcpy(a.data(), d, n*sizeof(int), cudaMemcpyDeviceToHost); ok &= a == want;
  vi u, v, w; rep(e,0,m) { u.pb(rng()%k); v.pb(rng()%k); w.pb(1+rng()%20); }
  fill(dist, dist+k, INF); dist[0] = 0;
  vi dd(dist, dist+k); int *du=gpu(u), *dv=gpu(v), *dw=gpu(w), *ds=gpu(dd), *ch=gpu(vi(1)), c = 1;
  while (c) { cudaMemset(ch, 0, 4); relax<<<(m+63)/64,64>>>(ds,du,dv,dw,m,ch); cudaMemcpy(&c, ch, 4, cudaMemcpyDeviceToHost); }
  cudaMemcpy(dd.data(), ds, k*sizeof(int), cudaMemcpyDeviceToHost);
  priority_queue<pii, vector<pii>, greater<pii>> q; q.push({0,0});
  while (!q.empty()) { auto p = q.top(); q.pop(); if (p.first > dist[p.second]) continue;
    rep(e,0,m) if (u[e]==p.second && p.first+w[e] < dist[v[e]]) q.push({dist[v[e]] = p.first+w[e], v[e]}); }
  rep(i,0,k) ok &= min(dd[i], INF) == dist[i] || dd[i] >= INF;
  vector<float> f(n); rep(i,0,n) f[i] = a[i]*0.5f; float *df = gpu(f), *db = gpu(vector<float>(1)), best;
  maxi<<<1,32>>>(df, db, n); cudaMemcpy(&best, db, 4, cudaMemcpyDeviceToHost);
  ok &= fabs(best - (*max_element(all(f)) + 4 + 4 + 1 + 1)) < 1e-3;
  cout << best << " " << accumulate(all(a), 0LL) << endl << (ok ? "PASSED" : "FAILED") << endl;
  for (auto p : {d, du, dv, dw, ds, ch}) cudaFree(p); cudaFree(df); cudaFree(db);
  return !ok;
}
