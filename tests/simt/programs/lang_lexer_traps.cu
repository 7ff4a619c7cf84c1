// Texts that look like launches and are none: nested templates, shifts, raw strings, literals, continued lines.
// expect: pass, stdout "a <<<1, 2>>> b", stdout "k<<<x>>>(y)"
// flags: -std=c++17
// clang-format off
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

__global__ void k(int *p, int v) { *p = v; } /* k<<<1, 1>>>(p, 3); */
// k<<<1, 1>>>(nothing); \
   k<<<1, 1>>>(continued);

template <class T> struct Box { T v; };
template <int N> struct Int { static constexpr int value = N; };
typedef std::vector<std::vector<std::vector<int>>> Cube;
std::map<int, std::vector<std::pair<int, std::vector<int>>>> table;

int main()
{
    int *p, h = 0, bad = 0;
    cudaMalloc(&p, sizeof(int));
    const char *s = "a <<<1, 2>>> b", *raw = R"xy(k<<<x>>>(y) "quoted" )xy";
    char c = '<', d = '"', e = '\'', f = '\\';
    Cube cube(2, std::vector<std::vector<int>>(3, std::vector<int>(4, 1)));
    Box<Box<Box<int>>> b3 = {{{5}}};
    int million = 1'000'000, hex = 0xFF'FF, bin = 0b1010, shift = 1 << 3 >> 1, x = 256;
    x >>= 2; x <<= 1;
    unsigned long long big = 0xFFFFFFFFFFFFFFFFULL >> 60;
    float fl = 1.e-3f + .5F + 0x1.8p1f;
    bool less = 3 < 4, more = (4 > 3) > false;
    std::cout << s << '\n' << raw << std::endl;
    std::cout <<"<<<"<<1<<2<<std::string(">>>")<<"\n";
    k<<<1,1>>>(p,Int<(8>>1)>::value<<2);
    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); bad += h != 16;
    k<<<Int<1>::value,Box<int>{1}.v>>>(p, cube[1][2][3] + b3.v.v.v);
    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); bad += h != 6;
    k<<<less ? 1 : 2, (more >> 0)>>>(p, c == '<' && d == 34 && e == 39 && f == 92 ? 77 : 0);
    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); bad += h != 77;
    k<<<std::vector<std::vector<int>>{{1}}[0][0],1>>>(p,
        million/*<<<*/+hex // >>>
        +bin+shift+x);
    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); bad += h != 1000000 + 65535 + 10 + 4 + 128;
    k <<< 1 , 1 >>> ( p , "abc" [ 1 ] ) ; k<<<1,1>>>(p,strlen("<<<>>>")+big)
    ; cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); bad += h != 21;
    table[1].push_back({2, {3}});
    bad += fl < 3.5f || fl > 3.6f || table.size() != 1;
#if 0
    this text has an unbalanced quote: don't k<<<
#endif
    printf("%d\n%s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(p);
    return bad;
}
