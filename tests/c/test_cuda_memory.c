/* test_cuda_memory.c - scratch, regions, the allocator hook and preparing (white-box)
 *
 * Result   parts of scratch do not overlap, whichever block they come from; what the hook gave goes
 *          back with the same size; memory that keeps its content begins as zeroes; after preparing,
 *          calls allocate nothing
 * Method   the hook hands out the software device's memory filled with ones, and keeps a book */
#include "cuda/core/inside.h"
#include "support.h"

static heddle_context *ctx;

/* ---- the hook -------------------------------------------------------------------------------------- */

static struct book {
  size_t bytes[64];
  void *memory[64];
  unsigned held, calls;
  int refuse;
} book;

static void *take(void *user, size_t bytes, void *stream) {
  const struct hd_cuda_driver *cu = ((const struct hd_cuda_context *)ctx->data)->cu;
  cu_pointer memory = 0;
  (void)stream;
  assert_ptr_equal(user, &book);
  book.calls++;
  if (book.refuse || cu->memory_alloc(&memory, bytes)) return NULL;
  assert_false(cu->set_bytes(memory, 0xff, bytes, NULL));
  assert_true(book.held < 64);
  book.bytes[book.held] = bytes;
  book.memory[book.held++] = (void *)(uintptr_t)memory;
  return (void *)(uintptr_t)memory;
}

static void put_back(void *user, void *memory, size_t bytes, void *stream) {
  (void)stream;
  assert_ptr_equal(user, &book);
  unsigned i = 0;
  while (i < book.held && book.memory[i] != memory) i++;
  assert_true(i < book.held);
  assert_int_equal(book.bytes[i], bytes);
  book.memory[i] = book.memory[--book.held];
  book.bytes[i] = book.bytes[book.held];
  assert_false(
      ((const struct hd_cuda_context *)ctx->data)->cu->memory_free((cu_pointer)(uintptr_t)memory));
}

static int open_simt(void **state) {
  (void)state;
  memset(&book, 0, sizeof book);
  return heddle_open("simt", &ctx) ||
         heddle_set_device_allocator(ctx, take, put_back, &book) != HEDDLE_OK;
}

static int close_simt(void **state) {
  (void)state;
  heddle_close(ctx);
  return book.held != 0; /* all of it came back */
}

/* ---- scratch ------------------------------------------------------------------------------------------- */

static void scratch_grows(void **state) {
  (void)state;
  struct hd_cuda_call call;
  cu_pointer at[12];
  for (int round = 0; round < 3; round++) {
    same_status(HEDDLE_OK, hd_cuda_enter(ctx, "scratch", &call), "enter");
    for (size_t i = 0; i < 12; i++) { /* no two overlap, whichever block they come from */
      size_t bytes = ((size_t)1 << (2 * i)) - 1;
      same_status(HEDDLE_OK, hd_cuda_scratch(&call, bytes, &at[i]), "%zu bytes", bytes);
      assert_int_equal(at[i] % 256, 0);
      const struct hd_cuda_block *block = hd_cuda_block_of(call.cuda, at[i]);
      assert_non_null(block);
      assert_ptr_equal(hd_cuda_block_of(call.cuda, at[i] + bytes - (bytes > 0)), block);
      same_status(HEDDLE_OK, hd_cuda_zero(&call, at[i], bytes), "%zu bytes", bytes);
      for (size_t j = 0; j < i; j++)
        assert_true(at[j] + ((size_t)1 << (2 * j)) - 1 <= at[i] || at[i] + bytes <= at[j]);
    }
    assert_true(call.cuda->extras <= 3 && (call.cuda->extras > 0) == (round == 0));
    const struct hd_cuda_mark mark = hd_cuda_scratch_mark(&call);
    for (int step = 0; step < 100; step++) { /* steps of a call share what they take */
      hd_cuda_scratch_reset(&call, mark);
      for (size_t i = 0; i < 3; i++) {
        cu_pointer part;
        same_status(HEDDLE_OK, hd_cuda_scratch(&call, (size_t)3 << 20, &part), "step %d", step);
        assert_int_equal(part == at[i], step > 0);
        at[i] = part;
      }
    }
    for (size_t i = 0; i < 12; i++) at[i] = 0;
    cu_pointer more;
    same_status(HEDDLE_OUT_OF_MEMORY, hd_cuda_scratch(&call, SIZE_MAX - 100, &more), "too much");
    same_status(HEDDLE_OUT_OF_MEMORY, hd_cuda_scratch(&call, (size_t)1 << 50, &more), "too much");
    same_status(HEDDLE_OK, hd_cuda_leave(&call, HEDDLE_OK), "leave");
  }
}

static void regions_begin_as_zeroes(void **state) {
  (void)state;
  struct hd_cuda_call call;
  static unsigned char seen[1 << 20];
  const size_t sizes[] = {1000, 1 << 18, 1 << 20};
  for (size_t i = 0; i < 3; i++) {
    cu_pointer region, again;
    same_status(HEDDLE_OK, hd_cuda_enter(ctx, "region", &call), "enter");
    same_status(HEDDLE_OK, hd_cuda_region(&call, HD_REGION_HISTOGRAM, sizes[i], &region), "region");
    assert_false(call.cu->copy_out(seen, region, sizes[i], call.stream));
    assert_false(call.cu->set_bytes(region, 7, sizes[i], call.stream));
    same_status(HEDDLE_OK, hd_cuda_region(&call, HD_REGION_HISTOGRAM, sizes[i], &again), "again");
    assert_int_equal(region, again);
    same_status(HEDDLE_OK, hd_cuda_leave(&call, HEDDLE_OK), "leave");
    for (size_t b = 0; b < sizes[i]; b++) assert_int_equal(seen[b], 0);
  }
}

/* ---- the hook ------------------------------------------------------------------------------------------- */

static void hooks_are_set_before_memory(void **state) {
  (void)state;
  void *memory = NULL;
  same_status(HEDDLE_OK, heddle_device_alloc(ctx, 1000, &memory), "alloc");
  assert_int_equal(book.held, 1);
  same_status(HEDDLE_BAD_ARGUMENT, heddle_set_device_allocator(ctx, NULL, NULL, NULL), "held");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_set_device_allocator(ctx, take, NULL, NULL), "one only");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_device_free(ctx, (char *)memory + 256), "not the start");
  same_status(HEDDLE_OK, heddle_device_free(ctx, memory), "free");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_device_free(ctx, memory), "twice");
  same_status(HEDDLE_OK, heddle_device_free(ctx, NULL), "nothing");
  book.refuse = 1;
  same_status(HEDDLE_OUT_OF_MEMORY, heddle_device_alloc(ctx, 1000, &memory), "refused");
  assert_null(memory);
  assert_non_null(strstr(heddle_message(), "1000"));
  book.refuse = 0;
  same_status(HEDDLE_OK, heddle_set_device_allocator(ctx, NULL, NULL, NULL), "nothing held");
  same_status(HEDDLE_OK, heddle_set_device_allocator(ctx, take, put_back, &book), "back");
}

/* ---- preparing -------------------------------------------------------------------------------------------- */

static heddle_status take_scratch(size_t bytes) {
  struct hd_cuda_call call;
  cu_pointer at;
  heddle_status status = hd_cuda_enter(ctx, "take", &call);
  if (status) return status;
  status = hd_cuda_scratch(&call, bytes, &at);
  if (!status) status = hd_cuda_scratch(&call, 100, &at);
  if (!status) status = hd_cuda_zero(&call, at, 100); /* no memory at all while preparing */
  return hd_cuda_leave(&call, status);
}

static void prepared_calls_allocate_nothing(void **state) {
  (void)state;
  size_t bytes = 0;
  same_status(HEDDLE_BAD_ARGUMENT, heddle_prepare_end(ctx, &bytes), "not begun");
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "begin");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_prepare_begin(ctx), "twice");
  unsigned calls = book.calls;
  same_status(HEDDLE_OK, take_scratch(3 << 20), "much");
  same_status(HEDDLE_OK, take_scratch(1000), "little");
  assert_int_equal(book.calls, calls);
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, &bytes), "end");
  assert_int_equal(bytes, (3 << 20) + 256);
  calls = book.calls;
  assert_true(calls > 0);
  same_status(HEDDLE_OK, take_scratch(1000), "little");
  same_status(HEDDLE_OK, take_scratch(3 << 20), "much");
  assert_int_equal(book.calls, calls);
}

static void the_callers_scratch(void **state) {
  (void)state;
  void *memory = NULL;
  size_t bytes = 0;
  char host[512];
  same_status(HEDDLE_OK, heddle_device_alloc(ctx, 8192, &memory), "alloc");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_set_scratch(ctx, memory, 0), "no size");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_set_scratch(ctx, NULL, 5), "no memory");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_set_scratch(ctx, host, sizeof host), "host memory");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_set_scratch(ctx, (char *)memory + 16, 64), "alignment");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_set_scratch(ctx, memory, 8193), "beyond its end");
  same_status(HEDDLE_OK, heddle_set_scratch(ctx, memory, 8192), "scratch");
  const unsigned calls = book.calls;
  same_status(HEDDLE_OK, take_scratch(8192 - 256), "all of it");
  same_status(HEDDLE_OUT_OF_MEMORY, take_scratch(8192), "more");
  assert_non_null(strstr(heddle_message(), "8448"));
  same_status(HEDDLE_OK, heddle_prepare_begin(ctx), "begin");
  same_status(HEDDLE_OK, take_scratch(1 << 20), "asked");
  same_status(HEDDLE_OK, heddle_prepare_end(ctx, &bytes), "end");
  assert_int_equal(bytes, (1 << 20) + 256);
  assert_int_equal(book.calls, calls); /* the caller's is too small, and stays the caller's */
  same_status(HEDDLE_OK, heddle_set_scratch(ctx, NULL, 0), "its own again");
  same_status(HEDDLE_OK, take_scratch(8192), "more");
  same_status(HEDDLE_OK, heddle_device_free(ctx, memory), "free");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(scratch_grows, open_simt, close_simt),
      cmocka_unit_test_setup_teardown(regions_begin_as_zeroes, open_simt, close_simt),
      cmocka_unit_test_setup_teardown(hooks_are_set_before_memory, open_simt, close_simt),
      cmocka_unit_test_setup_teardown(prepared_calls_allocate_nothing, open_simt, close_simt),
      cmocka_unit_test_setup_teardown(the_callers_scratch, open_simt, close_simt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
