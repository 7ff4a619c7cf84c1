/* Several devices: contexts, memory, streams and functions of each, and peers.
 *
 * Limits   run with SIMT_DEVICES=4; what a kernel without access as a peer ends with is asked by
 *          test_driver.py
 */
#include "libraries.h"

enum { DEVICES = 4, WORDS = 1000 };

static const char add[] = "extern \"C\" __global__ void add(int *p, int n, int by) {\n"
                          "  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] += by;\n"
                          "}\n";

static handle contexts[DEVICES];

static void start_all(void) {
  OK(cuInit(0));
  for (int i = 0; i < DEVICES; ++i) OK(cuDevicePrimaryCtxRetain(&contexts[i], i));
}

static int launch(handle f, pointer p, int by, handle stream) {
  int n = WORDS;
  void *arguments[] = {&p, &n, &by};
  return cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, stream, arguments, NULL);
}

static void listed(void) {
  int count = 0, device = -1, value[2];
  char uuid[DEVICES][16], name[64];
  OK(cuInit(0));
  OK(cuDeviceGetCount(&count));
  EXPECT(count, DEVICES);
  for (int i = 0; i < DEVICES; ++i) {
    OK(cuDeviceGet(&device, i));
    EXPECT(device, i);
    OK(cuDeviceGetUuid_v2(uuid[i], i));
    for (int k = 0; k < i; ++k) EXPECT(memcmp(uuid[i], uuid[k], 16) != 0, 1);
    OK(cuDeviceGetName(name, sizeof name, i));
    OK(cuDeviceGetAttribute(&value[0], 16, i));
    OK(cuDeviceGetAttribute(&value[1], 16, 0));
    EXPECT(value[0], value[1]);
  }
  EXPECT(cuDeviceGet(&device, DEVICES), 101);
  EXPECT(cuDeviceGet(&device, -1), 101);
  EXPECT(cuDevicePrimaryCtxRetain(&contexts[0], DEVICES), 101);
  EXPECT(cuCtxCreate_v2(&contexts[0], 0, DEVICES), 101);
}

/* Memory, streams and modules are those of the context that was current. */
static void owned(void) {
  pointer memory[DEVICES];
  handle streams[DEVICES], functions[DEVICES], owner;
  static int words[WORDS];
  start_all();
  for (int i = 0; i < DEVICES; ++i) {
    int device = -1;
    unsigned flags;
    int active;
    OK(cuDevicePrimaryCtxGetState(i, &flags, &active));
    EXPECT(active, 1);
    OK(cuCtxPushCurrent_v2(contexts[i]));
    OK(cuCtxGetDevice(&device));
    EXPECT(device, i);
    memory[i] = device_memory(sizeof words);
    OK(cuStreamCreate(&streams[i], 1));
    functions[i] = function_of(module_of(add), "add");
    OK(cuCtxPopCurrent_v2(NULL));
  }
  OK(cuCtxPushCurrent_v2(contexts[1]));
  for (int i = 0; i < DEVICES; ++i) {
    int ordinal = -1, type = 0, wanted[] = {9, 1};
    void *values[] = {&ordinal, &owner};
    OK(cuPointerGetAttribute(&ordinal, 9, memory[i] + 8));
    EXPECT(ordinal, i);
    OK(cuPointerGetAttributes(2, wanted, values, memory[i]));
    EXPECT(ordinal, i);
    EXPECT(owner == contexts[i], 1);
    OK(cuPointerGetAttribute(&type, 2, memory[i]));
    EXPECT(type, 2);
    OK(cuStreamGetDevice(streams[i], &ordinal));
    EXPECT(ordinal, i);
    OK(cuStreamGetCtx(streams[i], &owner));
    EXPECT(owner == contexts[i], 1);
  }
  EXPECT(launch(functions[2], memory[1], 1, streams[1]), 400);
  EXPECT(launch(functions[1], memory[1], 1, streams[2]), 400);
  OK(cuMemcpyHtoD_v2(memory[1], words, sizeof words));
  OK(launch(functions[1], memory[1], 7, streams[1]));
  OK(cuMemcpyDtoH_v2(words, memory[1], sizeof words));
  EXPECT(words[WORDS - 1], 7);
}

/* What is free on one device is not taken by another. */
static void sizes(void) {
  size_t before[2], after[2], all;
  pointer memory;
  start_all();
  for (int i = 0; i < 2; ++i) {
    OK(cuCtxSetCurrent(contexts[i]));
    OK(cuMemGetInfo_v2(&before[i], &all));
  }
  OK(cuMemAlloc_v2(&memory, all / 2)); /* of device 1 */
  for (int i = 0; i < 2; ++i) {
    OK(cuCtxSetCurrent(contexts[i]));
    OK(cuMemGetInfo_v2(&after[i], &all));
  }
  EXPECT(after[0], before[0]);
  EXPECT(before[1] - after[1] >= all / 2, 1);
  OK(cuCtxSetCurrent(contexts[0]));
  OK(cuMemAlloc_v2(&memory, all / 2));
  EXPECT(cuMemAlloc_v2(&memory, all / 2 + 4096), 2);
}

static void peers(void) {
  int can = -1, value = -1;
  static int words[WORDS];
  start_all();
  OK(cuDeviceCanAccessPeer(&can, 0, 3));
  EXPECT(can, 1);
  OK(cuDeviceCanAccessPeer(&can, 2, 2));
  EXPECT(can, 0);
  EXPECT(cuDeviceCanAccessPeer(&can, 0, DEVICES), 101);
  OK(cuDeviceGetP2PAttribute(&value, 2, 0, 1));
  EXPECT(value, 1);
  OK(cuCtxSetCurrent(contexts[2]));
  const pointer theirs = device_memory(sizeof words);
  OK(cuCtxSetCurrent(contexts[0]));
  const pointer ours = device_memory(sizeof words);
  EXPECT(cuCtxDisablePeerAccess(contexts[2]), 705);
  EXPECT(cuCtxEnablePeerAccess(contexts[0], 0), 217);
  EXPECT(cuCtxEnablePeerAccess(contexts[2], 1), 1);
  OK(cuCtxEnablePeerAccess(contexts[2], 0));
  EXPECT(cuCtxEnablePeerAccess(contexts[2], 0), 704);
  handle f = function_of(module_of(add), "add");
  for (int i = 0; i < WORDS; ++i) words[i] = i;
  OK(cuMemcpyHtoD_v2(ours, words, sizeof words));
  OK(cuMemcpyPeer(theirs, contexts[2], ours, contexts[0], sizeof words));
  OK(launch(f, theirs, 5, NULL));
  OK(cuMemcpyPeerAsync(ours, contexts[0], theirs, contexts[2], sizeof words, NULL));
  OK(cuMemcpyDtoH_v2(words, ours, sizeof words));
  for (int i = 0; i < WORDS; ++i) EXPECT(words[i], i + 5);
  OK(cuMemcpy(theirs, ours, sizeof words));
  EXPECT(cuMemcpyPeer(theirs, (handle)1, ours, contexts[0], 4), 201);
  OK(cuCtxDisablePeerAccess(contexts[2]));
}

/* A kernel that is given memory of a device whose peer its own is not. */
static void refused(void) {
  start_all();
  OK(cuCtxSetCurrent(contexts[2]));
  const pointer theirs = device_memory(WORDS * 4);
  OK(cuMemsetD32_v2(theirs, 0, WORDS));
  OK(cuCtxSetCurrent(contexts[1]));
  handle f = function_of(module_of(add), "add");
  OK(launch(f, theirs, 0, NULL));
  EXPECT(cuCtxSynchronize(), 700);
  EXPECT(cuCtxSynchronize(), 700);
  OK(cuCtxSetCurrent(contexts[2])); /* whose context is none of it */
  OK(cuCtxSynchronize());
  OK(cuMemsetD32_v2(theirs, 1, WORDS));
}

int main(int argc, char **argv) {
  static const struct test_case all[] = {{"listed", listed}, {"owned", owned},     {"sizes", sizes},
                                         {"peers", peers},   {"refused", refused}, {NULL, NULL}};
  return run_case(all, argc, argv);
}
