/* test_cuda_nvrtc.c - where NVIDIA's compiler is looked for, and how (white-box)
 *
 * Result   the candidates come in the documented order, from folders of the test's own; what is no
 *          compiler is passed over with a reason; custom operators become the text they should */
#include <dlfcn.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/compile/custom.h"
#include "cuda/compile/nvrtc.h"
#include "support.h"

static char root[100];

static int remove_one(const char *path, const struct stat *found, int flag, struct FTW *walk) {
  (void)found, (void)flag, (void)walk;
  return remove(path);
}

static int make_root(void **state) {
  (void)state;
  snprintf(root, sizeof root, "/tmp/heddle-nvrtc-XXXXXX");
  return !mkdtemp(root);
}

static int remove_root(void **state) {
  (void)state;
  return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* An empty file below root, with its folders. */
static void touch(const char *below) {
  char command[1000];
  snprintf(command, sizeof command, "mkdir -p \"$(dirname %s/%s)\" && : >%s/%s", root, below, root,
           below);
  assert_int_equal(system(command), 0);
}

static void set(const char *name, const char *below) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", root, below);
  setenv(name, path, 1);
}

/* ---- the search -------------------------------------------------------------------------------- */

struct seen {
  char text[4000];
  size_t used;
};

/* Notes paths below root without it, loaded ones with a mark; those of this machine are left out. */
static bool note(void *arg, const char *path, bool loaded) {
  struct seen *seen = arg;
  size_t n = strlen(root);
  bool here = !strncmp(path, root, n);
  if (!here && strchr(path, '/')) return false;
  int added = snprintf(seen->text + seen->used, sizeof seen->text - seen->used, "%s%s ",
                       loaded ? "loaded:" : "", here ? path + n + 1 : path);
  seen->used += (size_t)added;
  return false;
}

static bool is_wanted(void *arg, const char *path, bool loaded) {
  (void)loaded;
  return strstr(path, arg) != NULL;
}

static void the_order_is_the_documented_one(void **state) {
  (void)state;
  touch("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
  touch("venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  touch("conda/lib/libnvrtc.so.12");
  touch("conda/lib/libnvrtc.so.11.2");
  touch("cuda/targets/x86_64-linux/lib/libnvrtc.so.13");
  touch("cuda/lib64/libnvrtc.so.13");
  set("VIRTUAL_ENV", "venv");
  set("CONDA_PREFIX", "conda");
  set("CUDA_PATH", "cuda");
  struct seen seen = {.used = 0};
  assert_false(hd_cuda_nvrtc_search(note, &seen));
#ifdef __x86_64__
  assert_string_equal(seen.text,
                      "loaded:libnvrtc.so.13 loaded:libnvrtc.so.12 loaded:libnvrtc.so.11.2 "
                      "venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13 "
                      "venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12 "
                      "conda/lib/libnvrtc.so.12 conda/lib/libnvrtc.so.11.2 "
                      "libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 "
                      "cuda/lib64/libnvrtc.so.13 cuda/targets/x86_64-linux/lib/libnvrtc.so.13 ");
#endif
  assert_true(
      hd_cuda_nvrtc_search(is_wanted, "conda/lib/libnvrtc.so.12")); /* ends where it is found */
  unsetenv("VIRTUAL_ENV");
  unsetenv("CONDA_PREFIX");
  unsetenv("CUDA_PATH");
}

static void a_given_place_is_a_file_or_a_folder(void **state) {
  (void)state;
  char path[300];
  touch("own/libnvrtc.so.12");
  touch("toolkit/lib64/libnvrtc.so.13");
  touch("odd/name.so");
  const char *const given[][2] = {{"own", "own/libnvrtc.so.12 "},
                                  {"own/libnvrtc.so.12", "own/libnvrtc.so.12 "},
                                  {"toolkit", "toolkit/lib64/libnvrtc.so.13 "},
                                  {"odd/name.so", "odd/name.so "},
                                  {"odd", ""},
                                  {"none", ""}};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    struct seen seen = {.used = 0};
    seen.text[0] = 0;
    snprintf(path, sizeof path, "%s/%s", root, given[i][0]);
    assert_false(hd_cuda_nvrtc_given(path, note, &seen));
    assert_string_equal(seen.text, given[i][1]);
  }
}

/* An empty file is no library, and the C library is no compiler: each is told in the message, and
 * a search that fails is made anew the next time. */
static void what_is_no_compiler_is_told(void **state) {
  (void)state;
  const struct hd_cuda_driver_choice pair = {"cuda", false};
  const struct hd_cuda_driver cu = {.version = 13000, .pair = &pair};
  const struct hd_cuda_nvrtc *nvrtc = NULL;
  touch("own/libnvrtc.so.12");
  const char *const given[] = {"none", "own", "libc"};
  const char *const said[] = {"has no libnvrtc", "too short", "older than"};
  Dl_info libc;
  assert_true(dladdr(dlsym(RTLD_DEFAULT, "strtol"), &libc));
  for (size_t i = 0; i < 3; i++) {
    set("HEDDLE_NVRTC", given[i]);
    if (i == 2) setenv("HEDDLE_NVRTC", libc.dli_fname, 1);
    same_status(HEDDLE_NO_DEVICE, hd_cuda_nvrtc_load("entry", &cu, 90, &nvrtc), "%s", given[i]);
    assert_null(nvrtc);
    assert_non_null(strstr(heddle_message(), "HEDDLE_NVRTC"));
    if (!strstr(heddle_message(), said[i])) fail_msg("%s", heddle_message());
  }
  unsetenv("HEDDLE_NVRTC");
}

/* ---- beside the library ---------------------------------------------------------------------------- */

static bool is_beside(const char *below) {
  char own[400];
  struct seen seen = {.used = 0};
  snprintf(own, sizeof own, "%s/%s", root, below);
  assert_false(hd_cuda_nvrtc_beside(own, note, &seen));
  return seen.used > 0;
}

/* Nobody has named the folders around the library: what others may write to is passed over. */
static void wheels_beside_a_wheel_alone(void **state) {
  (void)state;
  static const char *const packages[] = {"app", "py/site-packages", "py/dist-packages"};
  char below[200], folder[300];
  for (size_t i = 0; i < 3; i++) {
    snprintf(below, sizeof below, "%s/nvidia/cu13/lib/libnvrtc.so.13", packages[i]);
    touch(below);
    for (size_t k = 0; k < 4; k++) {
      static const char *const own[] = {"heddle", "heddle/lib", "heddle.libs", "other"};
      snprintf(below, sizeof below, "%s/%s/libheddle.so.0", packages[i], own[k]);
      touch(below);
      *strrchr(below, '/') = 0;
      if (is_beside(below) != (i > 0 && k < 3)) fail_msg("%s", below);
    }
  }
  static const char *const open[] = {"", "/nvidia", "/nvidia/cu13/lib",
                                     "/nvidia/cu13/lib/libnvrtc.so.13"};
  for (size_t i = 0; i < 4; i++) {
    snprintf(folder, sizeof folder, "%s/py/site-packages%s", root, open[i]);
    assert_int_equal(chmod(folder, 0777), 0);
    if (is_beside("py/site-packages/heddle")) fail_msg("%s is everybody's to write", folder);
    assert_int_equal(chmod(folder, 0755), 0);
  }
  assert_true(is_beside("py/site-packages/heddle"));
}

/* ---- chips -------------------------------------------------------------------------------------- */

static void a_chip_that_is_not_known_gets_ptx(void **state) {
  (void)state;
  const struct hd_cuda_nvrtc nvrtc = {.arch = {75, 80, 90}, .arch_count_known = 3};
  const int chips[][3] = {{75, 75, 0}, {80, 80, 0}, {86, 80, 1}, {90, 90, 0}, {120, 90, 1}};
  for (size_t i = 0; i < 5; i++) {
    bool ptx;
    assert_int_equal(hd_cuda_nvrtc_arch(&nvrtc, chips[i][0], &ptx), chips[i][1]);
    assert_int_equal(ptx, chips[i][2]);
  }
}

/* ---- custom operators ------------------------------------------------------------------------------ */

static void expressions_become_functions(void **state) {
  (void)state;
  char *text = NULL;
  same_status(HEDDLE_OK, hd_cuda_custom_text("entry", "float2: a", 8, &text), "expression");
  assert_non_null(strstr(text, "typedef float2 heddle_element;"));
  assert_non_null(strstr(text, " a\n"));
  assert_non_null(strstr(text, "sizeof(heddle_element) == 8"));
  free(text);
  same_status(HEDDLE_OK, hd_cuda_custom_text("entry", "a::b\n: c ? a : b", 4, &text), "colons");
  assert_non_null(strstr(text, "typedef a::b\n heddle_element;"));
  assert_non_null(strstr(text, "#line 2 \"custom operator\"\n c ? a : b\n"));
  free(text);
  const char *whole = "typedef int heddle_element;\n__device__ int heddle_combine(int a, int b) {"
                      " return a ? a : b; }";
  same_status(HEDDLE_OK, hd_cuda_custom_text("entry", whole, 4, &text), "whole");
  assert_ptr_equal(strstr(text, "#line 1 \"custom operator\"\ntypedef int heddle_element;"), text);
  assert_null(strstr(text, "typedef int heddle_element;\n__device__ heddle_element"));
  free(text);
  same_status(HEDDLE_BAD_ARGUMENT, hd_cuda_custom_text("entry", "a + b", 4, &text), "neither");
  assert_null(text);
  assert_non_null(strstr(heddle_message(), "cuda_source"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_order_is_the_documented_one),
      cmocka_unit_test(a_given_place_is_a_file_or_a_folder),
      cmocka_unit_test(what_is_no_compiler_is_told),
      cmocka_unit_test(wheels_beside_a_wheel_alone),
      cmocka_unit_test(a_chip_that_is_not_known_gets_ptx),
      cmocka_unit_test(expressions_become_functions),
  };
  return cmocka_run_group_tests(tests, make_root, remove_root);
}
