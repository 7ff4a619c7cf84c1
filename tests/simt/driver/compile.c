/* NVRTC: options, messages, headers, names. */
#include "libraries.h"

#include <unistd.h>

static const char fine[] = "extern \"C\" __global__ void k(int *p) { *p = VALUE; }\n";

/* Compiles; the result, and the log in *log. */
static result compile(const char *source, const char *name, int count, const char *const *options,
                      char **log) {
  handle program;
  OK(nvrtcCreateProgram(&program, source, name, 0, NULL, NULL));
  const result r = nvrtcCompileProgram(program, count, options);
  *log = log_of(program);
  OK(nvrtcDestroyProgram(&program));
  return r;
}

static void contains(const char *log, const char *text) {
  if (strstr(log, text)) return;
  fprintf(stderr, "the log lacks '%s':\n%s", text, log);
  exit(1);
}

static void options(void) {
  static const char *const good[][2] = {{"-DVALUE=3", "--std=c++14"},
                                        {"-D", "VALUE=3"},
                                        {"--define-macro=VALUE=(1, 2)", "-std=c++20"},
                                        {"-DVALUE", "-lineinfo"},
                                        {" -DVALUE=1 ", "--fmad=false"},
                                        {"--define-macro", "VALUE=4"},
                                        {"-DVALUE=9", "--ptxas-options=-v"},
                                        {"-DVALUE=9", "-default-device"},
                                        {"-DVALUE=9", "--gpu-architecture=compute_80"},
                                        {"-DVALUE=9", "-arch=sm_120a"},
                                        {"-DVALUE=9", "--ftz=true"},
                                        {"-DVALUE=9", "--use_fast_math"}};
  static const char *const bad[] = {
      "--no-such-option", "-Wall", "-arch=sm_7", "-arch=fermi",   "--std=c++98",
      "--fmad=maybe",     "-D",    "-D=3",       "-O3",           "--fmad",
      "-lineinfo=1",      "-D9=3", "",           "-DA\n#error x", NULL};
  char *log;
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    const result r = compile(fine, "k.cu", 2, good[i], &log);
    if (r) fprintf(stderr, "%s %s: %s", good[i][0], good[i][1], log);
    OK(r);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    const char *list[] = {bad[i]};
    if (compile(fine, "k.cu", 1, list, &log) != 5) fprintf(stderr, "%s: %s", bad[i], log);
    EXPECT(compile(fine, "k.cu", 1, list, &log), 5);
    contains(log, "option");
  }
  static const char *const undefined[] = {"-DVALUE=1", "-UVALUE"};
  EXPECT(compile(fine, "k.cu", 2, undefined, &log), 6);
  contains(log, "k.cu(1): error: ");
}

static void messages(void) {
  char *log;
  static const char *const quiet[] = {"-w"};
  EXPECT(compile("\n\nextern \"C\" __global__ void k(int *p) {\n  *p = lost;\n}\n"
                 "#line 30 \"sub/part.cuh\"\nstatic __device__ int f() { return missing(1); }\n",
                 "my kernel.cu", 1, quiet, &log),
         6);
  contains(log, "my kernel.cu(4): error: 'lost'");
  contains(log, "sub/part.cuh(30): error: 'missing'");
  contains(log, "2 errors detected in the compilation of \"my kernel.cu\".");
  EXPECT(compile("#include <stdio.h>\n", NULL, 0, NULL, &log), 6);
  contains(log, "default_program(1): error: cannot open source file \"stdio.h\"");
  EXPECT(compile("#include \"none.h\"\n", "a.cu", 0, NULL, &log), 6);
  contains(log, "a.cu(1): ");
  EXPECT(compile(
             "extern __device__ int g(int);\nextern \"C\" __global__ void k(int *p) { *p = g(1); }",
             "a.cu", 0, NULL, &log),
         6);
  contains(log, "unresolved `g(int)'");
  EXPECT(strstr(log, "/tmp") == NULL, 1);
  EXPECT(compile("#error \"said so\"\n", "a.cu", 0, NULL, &log), 6);
  contains(log, "a.cu(1): error: #error \"said so\"");
  EXPECT(compile("extern \"C\" __global__ void k( {\n\"", "a.cu", 0, NULL, &log), 6);
  contains(log, "a.cu(");
  OK(compile("", "a.cu", 0, NULL, &log));
  EXPECT(strlen(log), 0);
}

static void headers(void) {
  static const char *const texts[] = {
      "#include \"deep/two.h\"\nstatic __device__ int one() { return two(); }\n",
      "#pragma once\nstatic __device__ int two() { return 2 + BAD; }\n"};
  static const char *const names[] = {"one.h", "deep/two.h"};
  static const char *const up[] = {"../x.h"};
  static const char source[] =
      "#include <one.h>\nextern \"C\" __global__ void k(int *p) { *p = one(); }\n";
  static const char *const with[] = {"-DBAD=0"}, *const before[] = {"-include=one.h", "-DBAD=1"};
  handle program;
  EXPECT(nvrtcCreateProgram(&program, source, "a.cu", 1, texts, up), 3);
  EXPECT(nvrtcCreateProgram(&program, source, "a.cu", 2, NULL, names), 3);
  EXPECT(nvrtcCreateProgram(NULL, source, "a.cu", 0, NULL, NULL), 3);
  OK(nvrtcCreateProgram(&program, source, "a.cu", 2, texts, names));
  EXPECT(nvrtcCompileProgram(program, 0, NULL), 6);
  EXPECT(strncmp(log_of(program), "deep/two.h(2): error: 'BAD'", 27), 0);
  OK(nvrtcCompileProgram(program, 1, with));
  OK(nvrtcDestroyProgram(&program));
  EXPECT(program == NULL, 1);
  EXPECT(nvrtcDestroyProgram(&program), 4);
  OK(nvrtcCreateProgram(&program, source + 17, "a.cu", 2, texts, names));
  OK(nvrtcCompileProgram(program, 2, before));
}

static void names(void) {
  static const char source[] =
      "template <class T, int N> __global__ void fill(T *p) { p[0] = N; }\n"
      "namespace inner { __device__ int v = 4; }\n"
      "__global__ void plain(int *p) { *p = 1; }\n";
  handle program, module, f;
  const char *name;
  size_t bytes;
  float value;
  pointer address;
  start();
  OK(nvrtcCreateProgram(&program, source, "t.cu", 0, NULL, NULL));
  OK(nvrtcAddNameExpression(program, "fill<float, 6>"));
  OK(nvrtcAddNameExpression(program, "&inner::v"));
  OK(nvrtcAddNameExpression(program, "plain"));
  EXPECT(nvrtcGetLoweredName(program, "plain", &name), 9);
  static const char *const arch[] = {"-arch=sm_90"};
  if (nvrtcCompileProgram(program, 1, arch)) fprintf(stderr, "%s", log_of(program));
  EXPECT(nvrtcAddNameExpression(program, "plain"), 8);
  EXPECT(nvrtcGetLoweredName(program, "other", &name), 10);
  OK(nvrtcGetPTXSize(program, &bytes));
  char *image = malloc(bytes);
  OK(nvrtcGetPTX(program, image));
  OK(cuModuleLoadData(&module, image));
  OK(nvrtcGetLoweredName(program, "plain", &name));
  EXPECT(strcmp(name, "_Z5plainPi"), 0);
  f = function_of(module, name);
  OK(nvrtcGetLoweredName(program, "&inner::v", &name));
  OK(cuModuleGetGlobal_v2(&address, &bytes, module, name));
  EXPECT(bytes, 4);
  OK(nvrtcGetLoweredName(program, "fill<float, 6>", &name));
  f = function_of(module, name);
  pointer d = device_memory(4);
  void *arguments[] = {&d};
  OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  OK(cuMemcpyDtoH_v2(&value, d, 4));
  EXPECT(value, 6);
  OK(nvrtcDestroyProgram(&program));
  OK(nvrtcCreateProgram(&program, source, "t.cu", 0, NULL, NULL));
  OK(nvrtcAddNameExpression(program, "fill<nothing>"));
  EXPECT(nvrtcCompileProgram(program, 0, NULL), 6);
}

static int say_stop(void *user, void *unused) {
  (void)unused;
  return ++*(int *)user == 1;
}

/* The program may end a compilation; forms that nobody asked for are empty. */
static void stopped(void) {
  handle program;
  int asked = 0;
  size_t bytes = 9;
  OK(nvrtcCreateProgram(&program, "__global__ void k() {}", "k.cu", 0, NULL, NULL));
  OK(nvrtcSetFlowCallback(program, say_stop, &asked));
  EXPECT(nvrtcCompileProgram(program, 0, NULL), 16);
  OK(nvrtcCompileProgram(program, 0, NULL));
  EXPECT(asked, 2);
  OK(nvrtcGetLTOIRSize(program, &bytes));
  EXPECT(bytes, 0);
  bytes = 9;
  OK(nvrtcGetOptiXIRSize(program, &bytes));
  EXPECT(bytes, 0);
  EXPECT(nvrtcGetLTOIRSize(program, NULL), 3);
  EXPECT(nvrtcGetPCHCreateStatus(program), 13);
  OK(nvrtcDestroyProgram(&program));
  EXPECT(nvrtcSetFlowCallback(program, say_stop, &asked), 4);
}

static void itself(void) {
  int major, minor, count, list[64];
  size_t bytes;
  char junk[64] = {0};
  OK(nvrtcVersion(&major, &minor));
  EXPECT(major * 100 + minor, 1300);
  OK(nvrtcGetNumSupportedArchs(&count));
  EXPECT(count > 3 && count < 64, 1);
  OK(nvrtcGetSupportedArchs(list));
  for (int i = 1; i < count; ++i) EXPECT(list[i] > list[i - 1], 1);
  EXPECT(strcmp(nvrtcGetErrorString(6), "NVRTC_ERROR_COMPILATION"), 0);
  EXPECT(strcmp(nvrtcGetErrorString(99), "NVRTC_ERROR unknown"), 0);
  EXPECT(nvrtcCompileProgram(NULL, 0, NULL), 4);
  EXPECT(nvrtcGetCUBINSize(NULL, &bytes), 4);
  EXPECT(nvrtcGetProgramLogSize(junk, &bytes), 4);
  handle program;
  OK(nvrtcCreateProgram(&program, fine, "a.cu", 0, NULL, NULL));
  OK(nvrtcGetCUBINSize(program, &bytes));
  EXPECT(bytes, 0);
  EXPECT(nvrtcGetCUBIN(program, junk), 4);
  EXPECT(nvrtcCompileProgram(program, 1, NULL), 3);
}

static void no_compiler(void) {
  char *log;
  static const char *const with[] = {"-DVALUE=77"};
  setenv("PATH", "/nowhere", 1);
  EXPECT(compile(fine, "k.cu", 1, with, &log), 7);
  contains(log, "g++ is not installed");
}

static void no_folder(void) {
  char *log;
  static const char *const with[] = {"-DVALUE=78"};
  setenv("TMPDIR", "/nowhere", 1);
  EXPECT(compile(fine, "k.cu", 1, with, &log), 7);
  contains(log, "cannot write temporary files");
}

/* Macros that a text may go by; words of both kinds of functions. */
static void language(void) {
  static const char *const with[] = {"-default-device", "-arch=sm_86"};
  char *log;
  const result r =
      compile("#if __CUDA_ARCH__ != 860 || !defined __CUDACC_RTC__ || !defined __SIMT__\n"
              "#error macros\n#endif\n"
              "int helper(int x) { return __popc(x) + __clz(x); }\n"
              "struct point { float x, y; };\n"
              "extern \"C\" __global__ void k(float4 *p, point q) {\n"
              "  __shared__ int s[32];\n"
              "  s[threadIdx.x & 31] = helper(threadIdx.x);\n"
              "  __syncthreads();\n"
              "  unsigned m = __ballot_sync(0xffffffffu, s[0] > 1);\n"
              "  p->x = __shfl_xor_sync(0xffffffffu, q.x, 1) + __fmaf_rn(q.y, 2.f, (float)m);\n"
              "  atomicAdd(&p->y, __expf(1.f));\n"
              "  if (!threadIdx.x) printf(\"%d\\n\", s[0]);\n"
              "}\n",
              "l.cu", 2, with, &log);
  if (r) fprintf(stderr, "%s", log);
  OK(r);
}

int main(int argc, char **argv) {
  static const struct test_case cases[] = {{"options", options},         {"messages", messages},
                                           {"headers", headers},         {"names", names},
                                           {"itself", itself},           {"stopped", stopped},
                                           {"no_compiler", no_compiler}, {"language", language},
                                           {"no_folder", no_folder},     {NULL, NULL}};
  return run_case(cases, argc, argv);
}
