/* words.h - the words that the rewriter knows; a name's number is below WORD_COUNT for them
 *
 * WAITS marks a word in whose presence a kernel's threads may wait for each other, poll
 * memory, or be told apart by the order in which they run (taint.c). */
#ifndef SIMT_REWRITE_WORDS_H
#define SIMT_REWRITE_WORDS_H

enum { WAITS = 1, DROPPED = 2, DROPPED_CALL = 4, COORDINATE = 8, ATOMIC = 16 };

/* clang-format off */
#define WORDS(W)                                                                               \
  W(GLOBAL, "__global__", DROPPED) W(DEVICE, "__device__", DROPPED)                            \
  W(HOST, "__host__", DROPPED) W(CONSTANT, "__constant__", DROPPED)                            \
  W(MANAGED, "__managed__", DROPPED) W(SHARED, "__shared__", WAITS)                            \
  W(GRID_CONSTANT, "__grid_constant__", DROPPED) W(NV_PURE, "__nv_pure__", DROPPED)            \
  W(LAUNCH_BOUNDS, "__launch_bounds__", DROPPED_CALL)                                          \
  W(CLUSTER_DIMS, "__cluster_dims__", DROPPED_CALL)                                            \
  W(MAXNREG, "__maxnreg__", DROPPED_CALL) W(BLOCK_SIZE, "__block_size__", DROPPED_CALL)        \
  W(FORCEINLINE, "__forceinline__", 0) W(NOINLINE, "__noinline__", 0)                          \
  W(INLINE_HINT, "__inline_hint__", DROPPED)                                                   \
  W(ALIGN, "__align__", 0) W(ALIGNAS, "alignas", 0)                                            \
  W(ATTRIBUTE, "__attribute__", 0) W(DECLSPEC, "__declspec", 0)                                \
  W(NAMESPACE, "namespace", 0) W(EXTERN, "extern", 0) W(TEMPLATE, "template", 0)               \
  W(CLASS, "class", 0) W(STRUCT, "struct", 0) W(UNION, "union", 0) W(ENUM, "enum", 0)          \
  W(USING, "using", 0) W(TYPEDEF, "typedef", 0) W(STATIC_ASSERT, "static_assert", 0)           \
  W(STATIC, "static", 0) W(INLINE, "inline", 0) W(INLINE2, "__inline__", 0)                    \
  W(INLINE3, "__inline", 0) W(CONST, "const", 0) W(CONSTEXPR, "constexpr", 0)                  \
  W(VOLATILE, "volatile", WAITS) W(OPERATOR, "operator", 0) W(FRIEND, "friend", 0)             \
  W(THREAD_LOCAL, "thread_local", 0) W(TYPENAME, "typename", 0) W(CONCEPT, "concept", 0)       \
  W(REQUIRES, "requires", 0) W(PUBLIC, "public", 0) W(PRIVATE, "private", 0)                   \
  W(PROTECTED, "protected", 0) W(NOEXCEPT, "noexcept", 0) W(DECLTYPE, "decltype", 0)           \
  W(RETURN, "return", 0) W(IF, "if", 0) W(ELSE, "else", 0) W(WHILE, "while", 0)                \
  W(FOR, "for", 0) W(DO, "do", 0) W(SWITCH, "switch", 0) W(CASE, "case", 0)                    \
  W(DELETE, "delete", 0) W(NEW, "new", 0) W(SIZEOF, "sizeof", 0) W(MUTABLE, "mutable", 0)      \
  W(THROW, "throw", 0) W(GOTO, "goto", 0) W(THIS, "this", 0)                                   \
  W(ASM, "asm", WAITS) W(ASM2, "__asm__", WAITS) W(ASM3, "__asm", WAITS)                       \
  W(THREAD_IDX, "threadIdx", COORDINATE) W(BLOCK_IDX, "blockIdx", COORDINATE)                  \
  W(BLOCK_DIM, "blockDim", COORDINATE) W(GRID_DIM, "gridDim", COORDINATE)                      \
  W(STD, "std", 0) W(PRINTF, "printf", WAITS) W(VPRINTF, "vprintf", WAITS)                     \
  W(ASSERT_FAIL, "__assert_fail", WAITS) W(CLOCK, "clock", WAITS) W(CLOCK64, "clock64", WAITS) \
  W(MALLOC, "malloc", 0) W(FREE, "free", 0) W(PRETTY, "__PRETTY_FUNCTION__", 0)                \
  W(FUNC, "__func__", 0) W(FUNCTION, "__FUNCTION__", 0)                                        \
  W(GLOBALTIMER, "__globaltimer", WAITS) W(NANOSLEEP, "__nanosleep", WAITS)                    \
  W(ATOMIC_CAS, "atomicCAS", WAITS) W(ATOMIC_EXCH, "atomicExch", WAITS)                        \
  W(TRAP, "__trap", WAITS) W(BRKPT, "__brkpt", WAITS) W(LDCV, "__ldcv", WAITS)                 \
  W(LDCG, "__ldcg", 0) W(COOPERATIVE_GROUPS, "cooperative_groups", WAITS)                      \
  W(CG, "cg", WAITS) W(THIS_GRID, "this_grid", WAITS) W(WMMA, "wmma", WAITS)                   \
  W(NVCUDA, "nvcuda", WAITS) W(CUDA, "cuda", WAITS)                                            \
  W(THIS_BLOCK, "this_thread_block", WAITS) W(THREAD_BLOCK, "thread_block", WAITS)             \
  W(TILED_PARTITION, "tiled_partition", WAITS) W(COALESCED, "coalesced_threads", WAITS)        \
  W(THIS_CLUSTER, "this_cluster", WAITS) W(DEVICE_SYNC, "cudaDeviceSynchronize", WAITS)        \
  W(GRID_SYNC, "cudaCGSynchronize", WAITS) W(LAUNCH_DEVICE, "cudaLaunchDevice", WAITS)         \
  W(LAUNCH_KERNEL, "cudaLaunchKernel", WAITS) W(ON_DEVICE, "simt_on_device", 0)
/* clang-format on */

#define WORD_NUMBER(name, spelling, flags) WORD_##name,
enum word { WORDS(WORD_NUMBER) WORD_COUNT };
#undef WORD_NUMBER

#endif
