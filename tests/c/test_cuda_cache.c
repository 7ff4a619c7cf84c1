/* test_cuda_cache.c - the folder that compiled kernels are kept in (white-box)
 *
 * Result   what was written is read again; what is short, long, damaged, another's or open to
 *          others is not; writers at once, full disks and folders that cannot be made do no harm */
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/compile/cache.h"
#include "support.h"

enum { IMAGE_BYTES = 5000, PATH_BYTES = 300 };
static char root[100];

static int remove_one(const char *path, const struct stat *found, int flag, struct FTW *walk) {
  (void)found, (void)flag, (void)walk;
  return remove(path);
}

static int make_root(void **state) {
  (void)state;
  snprintf(root, sizeof root, "/tmp/heddle-cache-XXXXXX");
  return !mkdtemp(root) || setenv("HEDDLE_CACHE_DIR", root, 1);
}

static int remove_root(void **state) {
  (void)state;
  return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static struct hd_cuda_cache_key key_of(unsigned seed) {
  struct hd_cuda_cache_key key;
  for (unsigned i = 0; i < sizeof key.hash; i++) key.hash[i] = (u8)(seed * 37 + i);
  return key;
}

static void fill(unsigned seed, unsigned char *bytes) {
  for (unsigned i = 0; i < IMAGE_BYTES; i++) bytes[i] = (unsigned char)(i * i + seed * 101);
}

static void write_one(unsigned seed) {
  unsigned char bytes[IMAGE_BYTES];
  struct hd_cuda_cache_key key = key_of(seed);
  fill(seed, bytes);
  hd_cuda_cache_write(&key, &(struct hd_cuda_image){bytes, sizeof bytes});
}

/* 1 if it is there and right, 0 if it is not there; anything else fails. */
static int read_one(unsigned seed) {
  unsigned char bytes[IMAGE_BYTES];
  struct hd_cuda_cache_key key = key_of(seed);
  struct hd_cuda_image image;
  if (!hd_cuda_cache_read(&key, &image)) return 0;
  fill(seed, bytes);
  assert_int_equal(image.bytes, IMAGE_BYTES);
  assert_memory_equal(image.data, bytes, IMAGE_BYTES);
  assert_int_equal(((char *)image.data)[IMAGE_BYTES], 0);
  free(image.data);
  return 1;
}

static void path_of(unsigned seed, char *path) {
  struct hd_cuda_cache_key key = key_of(seed);
  int n = snprintf(path, PATH_BYTES, "%s/", root);
  for (unsigned i = 0; i < sizeof key.hash; i++)
    n += snprintf(path + n, PATH_BYTES - (size_t)n, "%02x", key.hash[i]);
  snprintf(path + n, PATH_BYTES - (size_t)n, ".kernel");
}

static int files_in(const char *folder) {
  char command[PATH_BYTES + 40];
  snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
  FILE *list = popen(command, "r");
  int n = -1;
  assert_non_null(list);
  assert_int_equal(fscanf(list, "%d", &n), 1);
  pclose(list);
  return n;
}

/* ---- the hash ------------------------------------------------------------------------------- */

static void hash_of(const char *text, size_t repeat, char hex[65]) {
  struct hd_cuda_sha256 hash;
  u8 out[HD_SHA256_BYTES];
  hd_cuda_sha256_begin(&hash);
  for (size_t i = 0; i < repeat; i++) hd_cuda_sha256_add(&hash, text, strlen(text));
  hd_cuda_sha256_end(&hash, out);
  for (int i = 0; i < HD_SHA256_BYTES; i++) snprintf(hex + 2 * i, 3, "%02x", out[i]);
}

/* The examples of FIPS 180-4, and lengths around its blocks cut in different ways. */
static void sha256_is_the_standards(void **state) {
  (void)state;
  char hex[65], other[65], text[200];
  hash_of("", 0, hex);
  assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  hash_of("abc", 1, hex);
  assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, hex);
  assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  hash_of("aaaaaaaaaa", 100000, hex);
  assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  for (size_t n = 1; n < 150; n++) {
    memset(text, 'x', n);
    text[n] = 0;
    hash_of(text, 1, hex);
    hash_of("x", n, other);
    assert_string_equal(hex, other);
  }
}

/* ---- files ------------------------------------------------------------------------------------ */

static void what_was_written_is_read(void **state) {
  (void)state;
  assert_int_equal(read_one(1), 0);
  write_one(1);
  write_one(2);
  assert_int_equal(read_one(1), 1);
  assert_int_equal(read_one(2), 1);
  assert_int_equal(read_one(3), 0);
  assert_int_equal(files_in(root), 2);
  write_one(1);
  assert_int_equal(files_in(root), 2);
}

static void put(const char *path, const unsigned char *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  fclose(file);
}

/* Every length but its own, and a changed bit in every byte. */
static void damaged_files_are_not_read(void **state) {
  (void)state;
  char path[PATH_BYTES];
  unsigned char whole[IMAGE_BYTES + 400];
  write_one(5);
  path_of(5, path);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t bytes = fread(whole, 1, sizeof whole, file);
  fclose(file);
  assert_true(bytes > IMAGE_BYTES && bytes < sizeof whole);
  const size_t step = lightness() > 1 ? 97 : 7;
  for (size_t n = 0; n < bytes; n += n < 200 ? 1 : step) {
    put(path, whole, n);
    assert_int_equal(read_one(5), 0);
  }
  put(path, whole, bytes + 1);
  assert_int_equal(read_one(5), 0);
  for (size_t i = 0; i < bytes; i += i < 200 ? 1 : step) {
    whole[i] ^= (unsigned char)(1u << i % 8);
    put(path, whole, bytes);
    assert_int_equal(read_one(5), 0);
    whole[i] ^= (unsigned char)(1u << i % 8);
  }
  put(path, whole, bytes);
  assert_int_equal(read_one(5), 1);
  write_one(6); /* the name of one, the content of another */
  char other[PATH_BYTES];
  path_of(6, other);
  assert_int_equal(rename(other, path), 0);
  assert_int_equal(read_one(5), 0);
  write_one(5);
  assert_int_equal(read_one(5), 1);
}

/* A head that promises more than there is must not be believed: the size is checked before memory
 * is taken for it. */
static void huge_sizes_are_not_believed(void **state) {
  (void)state;
  char path[PATH_BYTES];
  write_one(7);
  path_of(7, path);
  const u64 sizes[] = {0, UINT64_MAX, (u64)1 << 40, HD_MOST_IMAGE_BYTES + 1};
  for (size_t i = 0; i < 4; i++) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, 16, SEEK_SET);
    assert_int_equal(fwrite(&sizes[i], sizeof sizes[i], 1, file), 1);
    fclose(file);
    assert_int_equal(read_one(7), 0);
  }
}

static void links_and_pipes_are_not_followed(void **state) {
  (void)state;
  char path[PATH_BYTES], target[PATH_BYTES];
  write_one(8);
  path_of(8, path);
  snprintf(target, sizeof target, "%s/elsewhere", root);
  assert_int_equal(rename(path, target), 0);
  assert_int_equal(symlink(target, path), 0);
  assert_int_equal(read_one(8), 0);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_int_equal(read_one(8), 0); /* and does not wait for a writer */
  write_one(8);
  assert_int_equal(read_one(8), 1);
  unlink(target);
}

/* ---- whose it is --------------------------------------------------------------------------------- */

static void what_others_can_write_is_not_used(void **state) {
  (void)state;
  char path[PATH_BYTES];
  write_one(9);
  path_of(9, path);
  assert_int_equal(chmod(path, 0620), 0);
  assert_int_equal(read_one(9), 0);
  assert_int_equal(chmod(path, 0644), 0);
  assert_int_equal(read_one(9), 1);
  const mode_t open_to_others[] = {0770, 0707, 01777};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(chmod(root, open_to_others[i]), 0);
    assert_int_equal(read_one(9), 0);
    int before = files_in(root);
    write_one(10);
    assert_int_equal(files_in(root), before);
  }
  assert_int_equal(chmod(root, 0755), 0);
  assert_int_equal(read_one(9), 1);
}

static void what_belongs_to_another_is_not_used(void **state) {
  (void)state;
  char path[PATH_BYTES];
  if (geteuid() != 0) skip(); /* only root can give files away */
  write_one(11);
  path_of(11, path);
  assert_int_equal(chown(path, 12345, (gid_t)-1), 0);
  assert_int_equal(read_one(11), 0);
  assert_int_equal(chown(path, 0, (gid_t)-1), 0);
  assert_int_equal(read_one(11), 1);
  assert_int_equal(chown(root, 12345, (gid_t)-1), 0);
  assert_int_equal(read_one(11), 0);
  assert_int_equal(chown(root, 0, (gid_t)-1), 0);
}

/* ---- folders ------------------------------------------------------------------------------------- */

static void folders_are_made_and_found(void **state) {
  (void)state;
  char path[PATH_BYTES], deep[PATH_BYTES];
  struct stat found;
  snprintf(deep, sizeof deep, "%s/a/b/c", root);
  setenv("HEDDLE_CACHE_DIR", deep, 1);
  assert_int_equal(read_one(12), 0);
  write_one(12);
  assert_int_equal(read_one(12), 1);
  assert_int_equal(stat(deep, &found), 0);
  assert_int_equal(found.st_mode & 0777, 0700);
  unsetenv("HEDDLE_CACHE_DIR");
  setenv("XDG_CACHE_HOME", root, 1);
  write_one(12);
  snprintf(path, sizeof path, "%s/heddle", root);
  assert_int_equal(files_in(path), 1);
  setenv("XDG_CACHE_HOME", "relative/folder", 1); /* void: HOME then */
  setenv("HOME", deep, 1);
  write_one(12);
  snprintf(path, sizeof path, "%.200s/.cache/heddle", deep);
  assert_int_equal(files_in(path), 1);
  assert_int_equal(access("relative", F_OK), -1);
  snprintf(path, sizeof path, "%.200s/nobody", root); /* an account without a home */
  setenv("HOME", path, 1);
  write_one(12);
  assert_int_equal(access(path, F_OK), -1);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  write_one(12); /* nowhere */
  assert_int_equal(read_one(12), 0);
  setenv("HEDDLE_CACHE_DIR", "/proc/none/heddle", 1);
  write_one(12);
  setenv("HEDDLE_CACHE_DIR", "/dev/null", 1);
  write_one(12);
  assert_int_equal(read_one(12), 0);
  setenv("HEDDLE_CACHE_DIR", root, 1);
}

/* ---- trouble ---------------------------------------------------------------------------------------- */

/* In a child, as the limit cannot be raised again. The signal that the system sends must not end
 * the process, whether it is held back already or not. */
static void a_full_disk_is_no_failure(void **state) {
  (void)state;
  const rlim_t limits[] = {0, 10, 200, 4096};
  for (size_t i = 0; i < 8; i++) {
    const unsigned seed = 20 + (unsigned)i;
    int before = files_in(root);
    pid_t child = fork();
    if (!child) {
      const struct rlimit limit = {limits[i / 2], limits[i / 2]};
      sigset_t set;
      sigemptyset(&set);
      sigaddset(&set, SIGXFSZ);
      if (i % 2) sigprocmask(SIG_BLOCK, &set, NULL);
      if (setrlimit(RLIMIT_FSIZE, &limit)) _exit(2);
      write_one(seed);
      sigset_t pending;
      sigpending(&pending);
      _exit(sigismember(&pending, SIGXFSZ) ? 3 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read_one(seed), 0);
    assert_int_equal(files_in(root), before);
  }
}

/* Writers and readers of the same few images: a reader sees all of one or none. */
static void processes_at_once(void **state) {
  (void)state;
  enum { PROCESSES = 8, IMAGES = 5 };
  const unsigned rounds = (unsigned)(400 / lightness());
  pid_t child[PROCESSES];
  for (int p = 0; p < PROCESSES; p++) {
    child[p] = fork();
    if (child[p]) continue;
    int seen = 0;
    for (unsigned i = 0; i < rounds; i++) {
      write_one(40 + (i + (unsigned)p) % IMAGES);
      seen += read_one(40 + (i * 7) % IMAGES);
    }
    _exit(seen > 0 ? 0 : 1);
  }
  for (int p = 0; p < PROCESSES; p++) {
    int status;
    assert_int_equal(waitpid(child[p], &status, 0), child[p]);
    assert_int_equal(status, 0);
  }
  for (unsigned i = 0; i < IMAGES; i++) assert_int_equal(read_one(40 + i), 1);
  char command[PATH_BYTES];
  snprintf(command, sizeof command, "ls -A %s | grep -c '^[.]new' >%s/leftover", root, root);
  assert_int_not_equal(system(command), 0); /* grep finds no file that was begun and left */
}

static void this_process_remembers(void **state) {
  (void)state;
  struct hd_cuda_cache_key key = key_of(60);
  struct hd_cuda_image image;
  char *data = malloc(4), *again = malloc(4);
  assert_false(hd_cuda_cache_recall(&key, &image));
  image = hd_cuda_cache_remember(&key, (struct hd_cuda_image){data, 4});
  assert_ptr_equal(image.data, data);
  image = hd_cuda_cache_remember(&key, (struct hd_cuda_image){again, 4}); /* frees the later one */
  assert_ptr_equal(image.data, data);
  assert_true(hd_cuda_cache_recall(&key, &image));
  assert_ptr_equal(image.data, data);
  assert_int_equal(image.bytes, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sha256_is_the_standards),
      cmocka_unit_test(what_was_written_is_read),
      cmocka_unit_test(damaged_files_are_not_read),
      cmocka_unit_test(huge_sizes_are_not_believed),
      cmocka_unit_test(links_and_pipes_are_not_followed),
      cmocka_unit_test(what_others_can_write_is_not_used),
      cmocka_unit_test(what_belongs_to_another_is_not_used),
      cmocka_unit_test(folders_are_made_and_found),
      cmocka_unit_test(a_full_disk_is_no_failure),
      cmocka_unit_test(processes_at_once),
      cmocka_unit_test(this_process_remembers),
  };
  return cmocka_run_group_tests(tests, make_root, remove_root);
}
