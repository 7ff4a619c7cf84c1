"""Kernels drawn at random: without races, with barriers and functions of a warp in uniform control flow,
in all that threads do with their variables. What they compute does not depend on how they are run, if
integers wrap (-fwrapv).
"""
import random

TYPES = ["int", "unsigned", "long long", "short"]
HEAD = ("#include <cstdio>\n#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
        "#include <cooperative_groups/scan.h>\nnamespace cg = cooperative_groups;\nconst unsigned FULL = 0xffffffff;\n__device__ int twice(int x) { return 2 * x; }\n"
        "template <class T> struct Both { T x, y[2]; __device__ void add(T v) { x += v; } };\n") + "".join(
    f"__device__ void bump({t} &x, int y) {{ x += y; }}\n__device__ void set({t} *x, int y) {{ *x = y; }}\n"
    for t in TYPES) + """
__device__ int sum_of(int v) { for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o); return v; }
template <typename T> __device__ T most(T v, const T least) {
  const int lane = threadIdx.x % 32;
  for (int o = 1; o < 32; o *= 2) { T w = __shfl_xor_sync(0xffffffff, v, o); if (w > v) v = w; }
  return lane & 1 ? v : v - least;
}
__device__ long long scan(long long v, int width) {
  for (int o = 1; o < width; o <<= 1) {
    long long w = __shfl_up_sync(0xffffffffu, v, o, width);
    if ((threadIdx.x & (width - 1)) >= o) v += w;
  }
  const int all = most((int)v, 3);
  return v ^ all;
}
template <class T> __device__ T turn(T v, int by) {
  __shared__ T s[64];
  v += sum_of((int)v);
  s[threadIdx.x] = v;
  __syncthreads();
  T w = s[(threadIdx.x + by) & 63];
  if (threadIdx.x < 32) w = most<T>(w, v);
  __syncthreads();
  return w;
}
__device__ int both(int v) {
  const int wid = threadIdx.x / 32;
  for (int k = 0; k < 2; k++) {
    v += turn(v, k + 1);
    if (wid == k) v ^= sum_of(v & 7);
  }
  return v & 0xffff;
}
"""


class Kernel:
    """The text of one, statement by statement. Variables are of kinds: t(hread's), c(onst), a(rray of 4),
    u(niform), k: uniform and const, p(ointer to a thread's own), b(oth: a structure)."""

    def __init__(self, r, name, pure):
        self.r, self.count, self.scopes, self.pure = r, 0, [[("m", "k")]], pure
        self.tiles = {}
        self.type = r.choice(TYPES)
        body = self.partition() if r.random() < 0.5 else ""
        body += self.declare() + self.declare() + self.block(0)
        if pure and r.random() < 0.5:
            body += f"if ({self.test()}) return;\n"
        body += self.exchange() + self.block(0)
        ends = " ^ ".join(f"(long long){v} * {i + 3}" for i, v in enumerate(self.of("tcuk")))
        leave = "if (tid > 60) return;\n" if r.random() < 0.2 else ""
        self.text = (f"__global__ void {name}(long long *out, const int *in, int n, int m) {{\n"
                     f"__shared__ int s[64];\nconst int tid = threadIdx.x;\n{body}{leave}"
                     f"out[blockIdx.x * 64 + tid] = n ^ {ends};\n}}\n")

    def new(self, kind):
        self.count += 1
        self.scopes[-1].append((f"v{self.count}", kind))
        return f"v{self.count}"

    def of(self, kinds):
        return [name for scope in self.scopes for name, kind in scope if kind in kinds]

    def any(self, *choices):
        return self.r.choice(choices)

    def inside(self, make, *given):
        self.scopes.append([])
        made = make(*given)
        self.scopes.pop()
        return made

    def partition(self):
        """Tiles of the block, made in the forms that programs have."""
        size = self.r.choice([2, 4, 8, 16])
        self.tiles = {"warp": 32, "tile": size}
        parent = self.any("block", "cg::this_thread_block()", "warp")
        kind = self.any("auto", f"cg::thread_block_tile<{size}>", f"const cg::thread_block_tile<{size}>")
        kind = "auto" if parent == "warp" else kind
        return (f"{self.any('auto', 'cg::thread_block')} block = cg::this_thread_block();\n"
                f"cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);\n"
                f"{kind} tile = cg::tiled_partition<{size}>({parent});\n")

    def of_tile(self):
        """What a tile does, called by all lanes of the warp."""
        t = self.r.choice(list(self.tiles))
        value, op = self.value(), self.any("plus", "less", "bit_xor")
        move = self.any(f"{t}.shfl_xor({value}, {self.r.randint(0, self.tiles[t] - 1)})",
                        f"{t}.shfl({value}, {self.any('tid * 3', '0', 'n')})",
                        f"{t}.shfl_up({value}, {self.any('tid & 7', '1')})",
                        f"{t}.shfl_down({value}, {self.any('tid & 7', '1')})")
        vote = self.any(f"{t}.ballot({self.test()})", f"{t}.any({self.test()})", f"{t}.all({self.test()})")
        fold = self.any(f"cg::reduce({t}, (int)({value}), cg::{op}<int>())",
                        f"cg::inclusive_scan({t}, (int)({value}), cg::{op}<int>())",
                        f"cg::exclusive_scan({t}, {value} + 1ll, cg::plus<long long>())")
        return self.any(move, vote, fold)

    def uniform(self, depth=0):
        names = self.of("uk")
        if depth > 2 or self.r.random() < 0.3:
            return str(self.r.randint(1, 9))
        return self.any(self.r.choice(names), "(int)blockIdx.x", "(int)blockDim.x",
                        f"({self.uniform(depth + 1)} & 7)",
                        f"({self.uniform(depth + 1)} {self.any('+', '-', '*')} {self.uniform(depth + 1)})")

    def value(self, depth=0):
        names, arrays = self.of("tcuk"), self.of("a")
        if depth > 2 or self.r.random() < 0.2:
            return str(self.r.randint(0, 20))
        if self.r.random() < 0.4:
            asked = [f"(int){t}.{q}()" for t in self.tiles for q in ("thread_rank", "meta_group_rank", "size")]
            if self.tiles:
                asked += ["(int)block.thread_rank()", "(int)block.thread_index().x",
                          "(int)block.size()"]
            return self.any(self.r.choice(names), "(int)threadIdx.x", "tid", "n", *asked)
        if self.of("pb") and self.r.random() < 0.3:
            return self.member()
        if arrays and self.r.random() < 0.3:
            return f"{self.r.choice(arrays)}[{self.any('tid & 3', '0', '2')}]"
        return self.any(f"twice((int)({self.value(depth + 1)}))", f"in[(tid + {self.r.randint(0, 9)}) & 63]",
                        f"({self.test(depth + 1)} ? {self.value(depth + 1)} : {self.value(depth + 1)})",
                        f"({self.value(depth + 1)} {self.any(*'+-*^&|')} {self.value(depth + 1)})")

    def test(self, depth=0):
        one = f"{self.value(depth + 1)} {self.any('<', '>', '==', '!=')} {self.value(depth + 1)}"
        if self.r.random() < 0.7 or depth > 1:
            return one
        return f"({one} {self.any('&&', '||')} {self.test(depth + 1)})"

    def member(self):
        name = self.r.choice(self.of("pb"))
        if name in self.of("p"):
            return f"(*{name})"
        return self.any(f"{name}.x", f"{name}.y[tid & 1]", f"{name}.y[0]")

    def assign(self):
        names, arrays = [*self.of("t"), "n"], self.of("a")
        if self.of("pb") and self.r.random() < 0.3:
            place = self.member()
            if place[0] != "(" and self.r.random() < 0.3:
                return f"{place.split('.')[0]}.add({self.value()});\n"
            return f"{place} {self.any('=', '+=', '^=')} {self.value()};\n"
        v, other = self.r.choice(names), self.r.choice(names)
        if arrays and self.r.random() < 0.2:
            place = f"{self.r.choice(arrays)}[{self.any('tid & 3', '1')}]"
            return f"{place} {self.any('=', '+=')} {self.value()};\n"
        kept = self.type if v != "n" else "int"
        return self.any(f"++{v};\n", f"{v}--;\n", f"{v} <<= 1;\n", f"bump({v}, (int)({self.value()}));\n",
                        f"set(&{v}, (int)({self.value()}));\n", f"{v} = {v} * 3 + 1, {v} ^= {self.value()};\n",
                        f"{{ {kept} &ref = {v}; ref += {self.value()}; {other} ^= ref; }}\n",
                        *[f"{v} {self.any('=', '+=', '-=', '*=', '^=', '|=')} {self.value()};\n"] * 3)

    def declare(self):
        value, kind, t = self.value(), self.r.random(), self.type
        if kind < 0.12:
            return f"{t} {self.new('a')}[4] = {{1, ({t})({value}), 3, 4}};\n"
        if kind < 0.25:
            value, const = self.uniform(), kind < 0.18
            return f"{'const ' if const else ''}int {self.new('k' if const else 'u')} = {value};\n"
        if kind < 0.29:
            return f"Both<{t}> {self.new('b')} = {{({t})({value}), {{2, ({t})({self.value()})}}}};\n"
        if kind < 0.32 and self.of("ta"):
            what = self.r.choice(self.of("ta"))
            what = f"&{what}" if what in self.of("t") else self.any(f"{what} + 1", f"&{what}[tid & 3]")
            return f"{t} *{self.new('p')} = {what};\n"
        if kind < 0.4:
            return f"const {t} {self.new('c')} = {value};\n"
        if kind < 0.5:
            return f"const int {self.new('c')} = threadIdx.x * {self.r.randint(1, 4)} + blockIdx.x;\n"
        return f"{t} {self.new('t')} = {value}, {self.new('t')} = {self.r.randint(0, 9)};\n"

    def thread(self, depth=0):
        """What threads do by themselves."""
        kind = self.r.random()
        if kind < 0.5 or depth > 2:
            return self.assign()
        some = "".join(self.inside(self.thread, depth + 1) for _ in range(2))
        if kind < 0.7:
            return f"if ({self.test()}) {{\n{some}}} else {self.assign()}"
        if kind < 0.85:
            leave = f"if ({self.test()}) {self.any('break', 'continue')};\n" if self.r.random() < 0.3 else ""
            return f"for (int i = 0; i < {self.any('3', '(tid & 3)')}; i++) {{\n{leave}{some}}}\n"
        return "{\n" + self.inside(lambda: self.declare() + self.assign() + some) + "}\n"

    def of_warp(self):
        """A function of the warp, called by all its lanes."""
        v, full = self.r.choice([*self.of("t"), "n"]), self.any("~0u", "0xffffffff", "0xffffffffu", "-1", "FULL")
        kind, value = self.r.random(), self.value()
        width = self.any("", "", ", 8", ", 16")
        shuffle = self.any(f"__shfl_xor_sync({full}, {value}, {self.r.randint(0, 31)}{width})",
                           f"__shfl_sync({full}, {value}, {self.any('tid * 3', '7', 'n')}{width})",
                           f"__shfl_up_sync({full}, {value}, {self.any('tid & 7', '2')}{width})",
                           f"__shfl_down_sync({full}, {value}, {self.any('tid & 7', '9')}{width})")
        vote = self.any(f"__ballot_sync({full}, {self.test()})", f"__any_sync({full}, {self.test()})",
                        f"__all_sync({full}, {self.test()})", f"__reduce_add_sync({full}, (int)({value}))",
                        f"__reduce_max_sync({full}, (unsigned)({value}))")
        helper = self.any(f"sum_of((int)({value}))", f"most((int)({value}), 7)", f"scan({value}, 8)",
                          f"scan({value}, 32)", f"most<long long>({value}, {self.value()})")
        call = self.any(shuffle, vote, helper, *[self.of_tile() for _ in self.tiles])
        if kind < 0.4:
            return f"{v} {self.any('=', '+=', '^=')} {self.any('', '3 + ')}{call};\n"
        if kind < 0.5:
            return f"{self.type} {self.new('t')} = {call} - {self.value()};\n"
        if kind < 0.6:
            return f"if ({call} & 1) {self.assign()}"
        if kind < 0.7:
            return f"for (int o = 16; o > 0; o {self.any('>>= 1', '/= 2')}) {v} += __shfl_xor_sync({full}, {v}, o);\n"
        if kind < 0.73 and self.tiles:
            t = self.r.choice(list(self.tiles))
            return self.any(f"{t}.sync();\n", f"cg::sync({t});\n", f"for (int o = {t}.size() / 2; o > 0; o >>= 1) "
                            f"{v} += {t}.shfl_down({v}, o);\n")
        if kind < 0.75:
            return f"__syncwarp({self.any('', full)});\n"
        return f"{v} ^= {self.any(shuffle, helper)} * {call};\n"

    def warps(self, depth=0):
        """Control flow of a warp."""
        inner = "".join(self.inside(lambda: self.declare() + self.of_warp() + self.thread()) for _ in range(2))
        kind = self.r.random()
        if kind < 0.3 and depth < 2:
            inner += self.inside(self.warps, depth + 1)
        if self.r.random() < 0.3:
            return f"for (int w = tid / 32; w < {self.any('2', '3')}; w++) {{\n{inner}}}\n"
        asked = ["warp.meta_group_rank() == 0"] if self.tiles else []
        test = self.any(*asked, "tid / 32 == 1", "tid < 32", "(threadIdx.x >> 5) < (m & 1)", "tid >= 32 || m < 4")
        return f"if ({test}) {{\n{inner}}}\n"

    def exchange(self):
        if self.pure:
            return self.of_warp() + self.warps()
        v = self.r.choice([*self.of("t"), "n"])
        if self.r.random() < 0.3:
            call = self.any(f"turn({self.value()}, {self.any('3', 'n')})", f"both((int)({self.value()}))",
                            f"turn<long long>({self.value()}, tid)")
            return f"{v if self.r.random() < 0.5 else self.type + ' ' + self.new('t')} = 2 * {call};\n"
        wait = self.any("__syncthreads()", "block.sync()", "cg::sync(block)") if self.tiles else "__syncthreads()"
        return (f"s[tid] = (int)({self.value()});\n{wait};\n"
                f"{v} += s[(tid + {self.r.randint(1, 63)}) & 63];\n{wait};\n")

    def stride(self):
        v, step = self.r.choice([*self.of("t"), "n"]), self.any("blockDim.x", "blockDim.x * gridDim.x")
        return (f"for (int i = blockIdx.x * blockDim.x + tid; i < {self.any('200', '70')}; i += {step}) {{\n"
                f"{v} += in[i & 63] * ({self.value()});\n{v} ^= i;\n}}\n")

    def around(self, depth):
        """Control flow of the block."""
        inner, kind = self.inside(self.block, depth + 1), self.r.random()
        if kind < 0.4:
            return f"for (int k = 0; k < {self.any('2', '3', '(m & 3)')}; k++) {{\n{inner}}}\n"
        if kind < 0.7:
            k = self.new("k")
            return f"int {k} = {self.r.randint(1, 3)};\nwhile ({k} > 0) {{\n{inner}{k}--;\n}}\n"
        return f"if ({self.uniform()} {self.any('<', '>')} {self.uniform()}) {{\n{inner}}}\n"

    def block(self, depth):
        text = ""
        for _ in range(self.r.randint(2, 5)):
            kind, uniform = self.r.random(), self.of("u")
            if kind < 0.3:
                text += self.declare()
            elif kind < 0.5:
                text += self.thread()
            elif kind < 0.6:
                text += self.exchange()
            elif kind < 0.7:
                text += self.of_warp()
            elif kind < 0.75:
                text += self.stride()
            elif kind < 0.79:
                text += self.warps()
            elif kind < 0.83 and uniform:
                text += f"{self.r.choice(uniform)} = {self.uniform()} & 15;\n"
            elif depth < 2:
                text += self.around(depth)
        return text


def program(seed, kernels):
    """A CUDA program that prints a line for each of its kernels."""
    r = random.Random(seed)
    pure = [r.random() < 0.4 for _ in range(kernels)]
    text = HEAD + "".join(Kernel(r, f"kernel{i}", pure[i]).text for i in range(kernels))
    text += ("int main() {\nstatic long long got[192];\nlong long *out;\nint *in, given[64];\n"
             "for (int i = 0; i < 64; i++) given[i] = i * 37 % 101 - 20;\ncudaMalloc(&out, sizeof got);\n"
             "cudaMalloc(&in, sizeof given);\ncudaMemcpy(in, given, sizeof given, cudaMemcpyHostToDevice);\n")
    for i in range(kernels):
        text += (f"cudaMemset(out, 0, sizeof got);\nkernel{i}<<<3, {50 if pure[i] else 64}>>>(out, in, {r.randint(1, 9)}, "
                 f"{r.randint(1, 9)});\ncudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);\n"
                 "{ unsigned long long x = 7; for (long long g : got) x = x * 1000003 ^ (unsigned long long)g; "
                 f'printf("{i} %llx\\n", x); }}\n')
    return text + "return cudaDeviceSynchronize();\n}\n"
