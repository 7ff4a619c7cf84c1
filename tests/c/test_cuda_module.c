/* test_cuda_module.c - kernels: compiled, cached, loaded, launched; memory and faults of a call
 * (white-box: with texts of its own in the place of the library's)
 *
 * Result   a kernel comes from the compiler once and from the cache folder afterwards, whatever
 *          happened to the folder; text that does not compile is told with its line; regions
 *          and fault words are what cuda.h says */
#include <dirent.h>
#include <ftw.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/compile/cache.h"
#include "cuda/compile/text.h"
#include "cuda/core/inside.h"
#include "host/status.h"
#include "support.h"

static const char probe[] =
    "#line 1 \"kernels/probe.cu\"\n"
    "typedef unsigned long long u64;\n"
    "struct arguments { u64 *out, add, code; };\n"
    "extern \"C\" __global__ void probe(const __grid_constant__ arguments a) {\n"
    "  a.out[blockIdx.x * blockDim.x + threadIdx.x] += a.add + HEDDLE_STEP;\n"
    "}\n"
    "extern \"C\" __global__ void fault(const __grid_constant__ arguments a) {\n"
    "  if (threadIdx.x == 0 && !a.out[0]) a.out[0] = a.code << 56 | a.add;\n"
    "}\n"
    "#ifdef HEDDLE_CUSTOM\n"
    "extern \"C\" __global__ void combine(heddle_element *x) { x[0] = heddle_combine(x[0], x[1]); "
    "}\n"
    "#endif\n"
    "#ifdef HEDDLE_BROKEN\n"
    "int broken = ;\n"
    "#endif\n";
const struct hd_cuda_text hd_cuda_texts[] = {{"probe.cu", probe, sizeof probe - 1}};
const unsigned hd_cuda_text_count = 1;

struct arguments { /* of the probes */
  cu_pointer out;
  u64 add, code;
};

static char root[100];
static heddle_context *ctx;

static int remove_one(const char *path, const struct stat *found, int flag, struct FTW *walk) {
  (void)found, (void)flag, (void)walk;
  return remove(path);
}

static int setup(void **state) {
  (void)state;
  snprintf(root, sizeof root, "/tmp/heddle-module-XXXXXX");
  return !mkdtemp(root) || setenv("HEDDLE_CACHE_DIR", root, 1) || heddle_open("simt", &ctx);
}

static int teardown(void **state) {
  (void)state;
  heddle_close(ctx);
  return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static struct hd_cuda_kernel_key key_of(i64 step) {
  struct hd_cuda_kernel_key key = {.file = "probe.cu"};
  hd_cuda_kernel_define(&key, "HEDDLE_STEP", step);
  return key;
}

static heddle_status launch(struct hd_cuda_call *call, const struct hd_cuda_kernel *kernel,
                            u64 blocks, struct arguments arguments) {
  return hd_cuda_launch(call, kernel, blocks, &arguments, sizeof arguments);
}

/* Adds step + 1 to 64 words of zeroes by the kernel, and looks at them. */
static heddle_status use(heddle_context *with, i64 step, u64 *seen) {
  struct hd_cuda_call call;
  struct hd_cuda_kernel kernel;
  struct hd_cuda_kernel_key key = key_of(step);
  cu_pointer memory = 0, out = 0;
  *seen = 0;
  HD_TRY(hd_cuda_enter(with, "use", &call));
  heddle_status status = hd_cuda_scratch(&call, 64 * 8, &memory);
  if (!status) status = hd_cuda_zero(&call, memory, 64 * 8);
  if (!status) status = hd_cuda_kernel(&call, &key, "probe", 32, 0, &kernel);
  if (!status) status = launch(&call, &kernel, 2, (struct arguments){memory, 1, 0});
  if (!status) status = hd_cuda_output(&call, "seen", seen, 8, 8, &out);
  if (!status)
    status = hd_cuda_check(&call, call.cu->copy_any(out, memory + 63 * 8, 8, call.stream), "copy");
  return hd_cuda_leave(&call, status);
}

static void works(heddle_context *with, i64 step) {
  u64 seen;
  same_status(HEDDLE_OK, use(with, step, &seen), "step %d", (int)step);
  assert_int_equal(seen, (u64)(step + 1));
}

static unsigned files(char *name) {
  DIR *folder = opendir(root);
  unsigned n = 0;
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));)
    if (strstr(entry->d_name, ".kernel")) {
      n++;
      if (name) snprintf(name, 300, "%s/%.100s", root, entry->d_name);
    }
  closedir(folder);
  return n;
}

/* In a process of its own, which has nothing in memory; `compiler`: 0 if it may not be asked. */
static int works_elsewhere(i64 step, int compiler) {
  pid_t child = fork();
  if (!child) {
    if (!compiler) setenv("SIMT_FAIL", "nvrtcCompileProgram:1+", 1);
    char number[20];
    snprintf(number, sizeof number, "%d", (int)step);
    execl("/proc/self/exe", "test_cuda_module", number, (char *)NULL);
    _exit(99);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static int child_main(const char *number) {
  const i64 step = atoi(number);
  u64 seen;
  if (heddle_open("simt", &ctx)) return 90;
  heddle_status status = use(ctx, step, &seen);
  if (!status && seen != (u64)(step + 1)) return 91;
  heddle_close(ctx);
  return (int)status;
}

/* ---- compiling and the cache -------------------------------------------------------------------- */

static void compiled_once(void **state) {
  (void)state;
  works(ctx, 1);
  works(ctx, 2);
  works(ctx, -7);
  assert_int_equal(files(NULL), 3);
  heddle_context *other = NULL;
  setenv("SIMT_FAIL", "nvrtcCompileProgram:1+", 1);
  same_status(HEDDLE_OK, heddle_open("simt", &other), "open");
  works(other, 1); /* out of this process's memory */
  u64 seen;
  same_status(HEDDLE_DEVICE_ERROR, use(other, 3, &seen), "the compiler fails");
  unsetenv("SIMT_FAIL");
  works(other, 3); /* a failure is not kept */
  heddle_close(other);
  assert_int_equal(works_elsewhere(2, 0), HEDDLE_OK);
  assert_int_equal(works_elsewhere(4, 0), HEDDLE_DEVICE_ERROR);
}

static void the_folder_is_repaired(void **state) {
  (void)state;
  char name[300] = "";
  assert_int_equal(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
  assert_int_equal(works_elsewhere(5, 1), HEDDLE_OK);
  assert_int_equal(files(name), 1);
  assert_int_equal(works_elsewhere(5, 0), HEDDLE_OK);
  assert_int_equal(truncate(name, 1000), 0);
  assert_int_equal(works_elsewhere(5, 0), HEDDLE_DEVICE_ERROR);
  assert_int_equal(works_elsewhere(5, 1), HEDDLE_OK);
  assert_int_equal(works_elsewhere(5, 0), HEDDLE_OK);
  /* An image whose checksum is right, but which is none of this device. */
  struct hd_cuda_cache_key key;
  FILE *file = fopen(name, "rb");
  assert_non_null(file);
  fseek(file, 24, SEEK_SET);
  assert_int_equal(fread(key.hash, 1, sizeof key.hash, file), sizeof key.hash);
  fclose(file);
  hd_cuda_cache_write(&key, &(struct hd_cuda_image){name, 200});
  assert_int_equal(works_elsewhere(5, 0), HEDDLE_DEVICE_ERROR);
  assert_int_equal(works_elsewhere(5, 1), HEDDLE_OK);
  assert_int_equal(works_elsewhere(5, 0), HEDDLE_OK);
}

static void *use_in_thread(void *step) {
  heddle_context *own = NULL;
  u64 seen = 0;
  heddle_status status = heddle_open("simt", &own);
  for (i64 i = 0; i < 4 && !status; i++) {
    status = use(own, *(const i64 *)step + i, &seen);
    if (!status && seen != (u64)(*(const i64 *)step + i + 1)) status = HEDDLE_BAD_DATA;
  }
  heddle_close(own);
  return (void *)(uintptr_t)status;
}

static void threads_at_once(void **state) {
  (void)state;
  pthread_t thread[6];
  i64 step[6] = {100, 100, 101, 101, 102, 103}; /* the same kernels, and others, at one time */
  for (int i = 0; i < 6; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, use_in_thread, &step[i]), 0);
  for (int i = 0; i < 6; i++) {
    void *status;
    pthread_join(thread[i], &status);
    assert_int_equal((uintptr_t)status, HEDDLE_OK);
  }
}

static void many_kernels(void **state) {
  (void)state;
  struct hd_cuda_call call;
  struct hd_cuda_kernel kernel[8], again;
  struct hd_cuda_kernel_key key = key_of(1);
  same_status(HEDDLE_OK, hd_cuda_enter(ctx, "many", &call), "enter");
  for (unsigned n = 0; n < 400; n++) { /* launch shapes of one module: the table grows */
    same_status(HEDDLE_OK, hd_cuda_kernel(&call, &key, "probe", 32 + n, 16 * n, &again), "%u", n);
    if (n < 8) kernel[n] = again;
    assert_int_equal(again.threads, 32 + n);
    assert_int_equal(again.shared_bytes, 16 * n);
    assert_true(again.blocks_per_sm > 0);
  }
  for (unsigned n = 0; n < 8; n++) {
    same_status(HEDDLE_OK, hd_cuda_kernel(&call, &key, "probe", 32 + n, 16 * n, &again), "%u", n);
    assert_ptr_equal(again.function, kernel[n].function);
  }
  same_status(HEDDLE_DEVICE_ERROR, hd_cuda_kernel(&call, &key, "nothing", 32, 0, &again),
              "no name");
  same_status(HEDDLE_OK, hd_cuda_leave(&call, HEDDLE_OK), "leave");
}

/* ---- text that does not compile ----------------------------------------------------------------------- */
static heddle_status ask(const struct hd_cuda_kernel_key *key, const char *name) {
  struct hd_cuda_call call;
  struct hd_cuda_kernel kernel;
  same_status(HEDDLE_OK, hd_cuda_enter(ctx, "ask", &call), "enter");
  return hd_cuda_leave(&call, hd_cuda_kernel(&call, key, name, 32, 0, &kernel));
}

static void says(const char *word) {
  if (!strstr(heddle_message(), word)) fail_msg("no '%s' in: %s", word, heddle_message());
}

static void errors_name_the_line(void **state) {
  (void)state;
  struct hd_cuda_kernel_key key = key_of(1);
  hd_cuda_kernel_define(&key, "HEDDLE_BROKEN", 1);
  same_status(HEDDLE_DEVICE_ERROR, ask(&key, "probe"), "the library's own text");
  says("probe.cu");
  key = key_of(1);
  hd_cuda_kernel_define(&key, "HEDDLE_CUSTOM", 1);
  key.element_bytes = 4;
  key.custom = "float: a + b";
  same_status(HEDDLE_OK, ask(&key, "combine"), "an expression");
  key.custom = "float:\n  a +\n  nobody";
  same_status(HEDDLE_BAD_ARGUMENT, ask(&key, "combine"), "a name that nobody knows");
  says("nobody");
  says("custom operator");
  says("3");
  says("cuda_source");
  key.custom = "double: a + b";
  same_status(HEDDLE_BAD_ARGUMENT, ask(&key, "combine"), "a size that is not element_bytes");
  says("element_bytes");
  key.custom = "nothing of the kind";
  same_status(HEDDLE_BAD_ARGUMENT, ask(&key, "combine"), "neither form");
  key.custom = "typedef float heddle_element;\n"
               "__device__ heddle_element heddle_combine(heddle_element a, heddle_element b) {\n"
               "  return a < b ? a : b;\n}\n";
  same_status(HEDDLE_OK, ask(&key, "combine"), "text");
  char copy[200];
  snprintf(copy, sizeof copy, "%s", key.custom);
  setenv("SIMT_FAIL", "nvrtcCompileProgram:1+,cuModuleLoadData:1+", 1);
  key.custom = copy; /* compared by content: the caller's string may move */
  same_status(HEDDLE_OK, ask(&key, "combine"), "the same text elsewhere");
  unsetenv("SIMT_FAIL");
  works(ctx, 1);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static void regions_keep_their_content(void **state) {
  (void)state;
  struct hd_cuda_call call;
  struct hd_cuda_kernel kernel;
  struct hd_cuda_kernel_key key = key_of(0);
  cu_pointer region, again, out;
  u64 seen = 0;
  same_status(HEDDLE_OK, hd_cuda_enter(ctx, "region", &call), "enter");
  same_status(HEDDLE_OK, hd_cuda_kernel(&call, &key, "probe", 32, 0, &kernel), "kernel");
  for (u64 round = 1; round <= 2; round++) {
    same_status(HEDDLE_OK, hd_cuda_region(&call, HD_REGION_SCAN, 5000, &region), "region");
    same_status(HEDDLE_OK, hd_cuda_region(&call, HD_REGION_HISTOGRAM, 5000, &again), "another");
    assert_true(again != region);
    same_status(HEDDLE_OK, launch(&call, &kernel, 1, (struct arguments){region, 5, 0}), "add");
  }
  same_status(HEDDLE_OK, hd_cuda_output(&call, "seen", &seen, 8, 8, &out), "output");
  assert_int_equal(call.cu->copy_any(out, region + 8, 8, call.stream), 0);
  same_status(HEDDLE_OK, hd_cuda_leave(&call, HEDDLE_OK), "leave");
  assert_int_equal(seen, 10);
  same_status(HEDDLE_OK, hd_cuda_enter(ctx, "region", &call), "enter");
  same_status(HEDDLE_OK, hd_cuda_region(&call, HD_REGION_SCAN, 1 << 20, &region), "grown");
  u64 all[4096] = {1};
  same_status(HEDDLE_OK, hd_cuda_output(&call, "all", all, sizeof all, 8, &out), "output");
  for (size_t i = 0; i < 32; i++) /* a part of each 32 kB */
    assert_int_equal(
        call.cu->copy_any(out + 1024 * i, region + ((i + 1) << 15) - 1024, 1024, call.stream), 0);
  same_status(HEDDLE_OK, hd_cuda_leave(&call, HEDDLE_OK), "leave");
  for (size_t i = 0; i < 4096; i++) assert_int_equal(all[i], 0);
}

/* ---- grids ------------------------------------------------------------------------------------------------- */

static void a_grid_that_no_gpu_starts(void **state) {
  (void)state;
  struct hd_cuda_call call;
  struct hd_cuda_kernel kernel;
  struct hd_cuda_kernel_key key = key_of(0);
  same_status(HEDDLE_OK, hd_cuda_enter(ctx, "grid", &call), "enter");
  heddle_status status = hd_cuda_kernel(&call, &key, "probe", 32, 0, &kernel);
  for (u64 blocks = (u64)1 << 31; !status && blocks <= (u64)1 << 32; blocks <<= 1) {
    same_status(HEDDLE_UNSUPPORTED, launch(&call, &kernel, blocks, (struct arguments){0, 0, 0}),
                "2^31 and 2^32");
    says("cut");
  }
  same_status(HEDDLE_OK, hd_cuda_leave(&call, status), "leave");
  works(ctx, 1);
}

/* ---- faults ------------------------------------------------------------------------------------------------ */

static int failing;

static heddle_status raise_fault(const char *entry, u64 code, u64 detail, int host_result) {
  struct hd_cuda_call call;
  struct hd_cuda_kernel kernel;
  struct hd_cuda_kernel_key key = key_of(0);
  u64 result = 0x1234;
  cu_pointer words, out;
  HD_TRY(hd_cuda_enter(ctx, entry, &call));
  heddle_status status = hd_cuda_kernel(&call, &key, "fault", 32, 0, &kernel);
  if (!status && host_result) status = hd_cuda_output(&call, "result", &result, 8, 8, &out);
  words = hd_cuda_fault(&call);
  assert_int_equal(words, hd_cuda_fault(&call));
  if (!status) status = launch(&call, &kernel, 1, (struct arguments){words, detail, code});
  if (failing) status = hd_fail(HEDDLE_CANCELLED, "sixth: something else went wrong");
  status = hd_cuda_leave(&call, status);
  if (host_result && status) assert_int_equal(result, 0x1234); /* nothing was written */
  return status;
}

static void faults_become_statuses(void **state) {
  (void)state;
  same_status(HEDDLE_EMPTY, raise_fault("first", HD_FAULT_ALL_NAN, HEDDLE_MIN, 1), "a host result");
  says("first: min of nothing but NaN has no result");
  same_status(HEDDLE_EMPTY, raise_fault("first", HD_FAULT_EMPTY, HEDDLE_MAX | 256, 1), "arg");
  says("first: argmax of no values has no result");
  same_status(HEDDLE_OK, raise_fault("second", HD_FAULT_OFFSETS, 17, 0), "queued");
  same_status(HEDDLE_OK, raise_fault("third", HD_FAULT_NONE, 0, 1), "another call's is its own");
  same_status(HEDDLE_OK, raise_fault("fourth", HD_FAULT_WEIGHT, 3, 0), "queued");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_sync(ctx), "the oldest comes first");
  says("second: `rows->offsets[17]`");
  same_status(HEDDLE_BAD_DATA, heddle_sync(ctx), "then the next");
  says("fourth");
  same_status(HEDDLE_OK, heddle_sync(ctx), "no more");
  same_status(HEDDLE_DEVICE_ERROR, raise_fault("fifth", 77, 0, 1), "unknown code");
  for (int i = 0; i < 3 * HD_FAULT_SLOTS; i++)
    same_status(HEDDLE_OK,
                i == 10 ? raise_fault("one", HD_FAULT_WEIGHT, 0, 0) : raise_fault("many", 0, 0, 0),
                "%d", i);
  same_status(HEDDLE_BAD_DATA, heddle_sync(ctx), "it stays until it is asked for");
  says("one: ");
  failing = 1; /* the status of the call itself comes first, and its fault goes with it */
  same_status(HEDDLE_CANCELLED, raise_fault("sixth", HD_FAULT_WEIGHT, 0, 1), "another status");
  failing = 0;
  same_status(HEDDLE_OK, heddle_sync(ctx), "nothing is left of it");
}

int main(int argc, char **argv) {
  if (argc > 1) return child_main(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compiled_once),          cmocka_unit_test(the_folder_is_repaired),
      cmocka_unit_test(threads_at_once),        cmocka_unit_test(many_kernels),
      cmocka_unit_test(errors_name_the_line),   cmocka_unit_test(regions_keep_their_content),
      cmocka_unit_test(faults_become_statuses), cmocka_unit_test(a_grid_that_no_gpu_starts),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
