/* keywords.h - the names that the rewriter knows; a name's number is below KEYWORD_COUNT for them
 *
 * WAITS marks a name in whose presence a kernel's threads may wait for each other, poll
 * memory, or be told apart by the order in which they run (taint.c). */
#ifndef SIMT_REWRITE_UNIT_KEYWORDS_H
#define SIMT_REWRITE_UNIT_KEYWORDS_H

enum { WAITS = 1, DROPPED = 2, DROPPED_CALL = 4, COORDINATE = 8, ATOMIC = 16 };

/* clang-format off */
#define KEYWORDS(X)                                                                               \
  X(GLOBAL, "__global__", DROPPED) X(DEVICE, "__device__", DROPPED)                            \
  X(HOST, "__host__", DROPPED) X(CONSTANT, "__constant__", DROPPED)                            \
  X(MANAGED, "__managed__", DROPPED) X(SHARED, "__shared__", WAITS)                            \
  X(GRID_CONSTANT, "__grid_constant__", DROPPED) X(NV_PURE, "__nv_pure__", DROPPED)            \
  X(LAUNCH_BOUNDS, "__launch_bounds__", DROPPED_CALL)                                          \
  X(CLUSTER_DIMS, "__cluster_dims__", DROPPED_CALL)                                            \
  X(MAXNREG, "__maxnreg__", DROPPED_CALL) X(BLOCK_SIZE, "__block_size__", DROPPED_CALL)        \
  X(FORCEINLINE, "__forceinline__", 0) X(NOINLINE, "__noinline__", 0)                          \
  X(INLINE_HINT, "__inline_hint__", DROPPED)                                                   \
  X(ALIGN, "__align__", 0) X(ALIGNAS, "alignas", 0)                                            \
  X(ATTRIBUTE, "__attribute__", 0) X(DECLSPEC, "__declspec", 0)                                \
  X(NAMESPACE, "namespace", 0) X(EXTERN, "extern", 0) X(TEMPLATE, "template", 0)               \
  X(CLASS, "class", 0) X(STRUCT, "struct", 0) X(UNION, "union", 0) X(ENUM, "enum", 0)          \
  X(USING, "using", 0) X(TYPEDEF, "typedef", 0) X(STATIC_ASSERT, "static_assert", 0)           \
  X(STATIC, "static", 0) X(INLINE, "inline", 0) X(INLINE2, "__inline__", 0)                    \
  X(INLINE3, "__inline", 0) X(CONST, "const", 0) X(CONSTEXPR, "constexpr", 0)                  \
  X(VOLATILE, "volatile", WAITS) X(OPERATOR, "operator", 0) X(FRIEND, "friend", 0)             \
  X(THREAD_LOCAL, "thread_local", 0) X(TYPENAME, "typename", 0) X(CONCEPT, "concept", 0)       \
  X(REQUIRES, "requires", 0) X(PUBLIC, "public", 0) X(PRIVATE, "private", 0)                   \
  X(PROTECTED, "protected", 0) X(NOEXCEPT, "noexcept", 0) X(DECLTYPE, "decltype", 0)           \
  X(RETURN, "return", 0) X(IF, "if", 0) X(ELSE, "else", 0) X(WHILE, "while", 0)                \
  X(FOR, "for", 0) X(DO, "do", 0) X(SWITCH, "switch", 0) X(CASE, "case", 0)                    \
  X(DELETE, "delete", 0) X(NEW, "new", 0) X(SIZEOF, "sizeof", 0) X(MUTABLE, "mutable", 0)      \
  X(THROW, "throw", 0) X(GOTO, "goto", 0) X(THIS, "this", 0)                                   \
  X(ASM, "asm", WAITS) X(ASM2, "__asm__", WAITS) X(ASM3, "__asm", WAITS)                       \
  X(THREAD_IDX, "threadIdx", COORDINATE) X(BLOCK_IDX, "blockIdx", COORDINATE)                  \
  X(BLOCK_DIM, "blockDim", COORDINATE) X(GRID_DIM, "gridDim", COORDINATE)                      \
  X(STD, "std", 0) X(PRINTF, "printf", WAITS) X(VPRINTF, "vprintf", WAITS)                     \
  X(ASSERT_FAIL, "__assert_fail", WAITS) X(CLOCK, "clock", WAITS) X(CLOCK64, "clock64", WAITS) \
  X(MALLOC, "malloc", 0) X(FREE, "free", 0) X(PRETTY, "__PRETTY_FUNCTION__", 0)                \
  X(FUNC, "__func__", 0) X(FUNCTION, "__FUNCTION__", 0)                                        \
  X(GLOBALTIMER, "__globaltimer", WAITS) X(NANOSLEEP, "__nanosleep", WAITS)                    \
  X(ATOMIC_CAS, "atomicCAS", WAITS) X(ATOMIC_EXCH, "atomicExch", WAITS)                        \
  X(TRAP, "__trap", WAITS) X(BRKPT, "__brkpt", WAITS) X(LDCV, "__ldcv", WAITS)                 \
  X(LDCG, "__ldcg", 0) X(COOPERATIVE_GROUPS, "cooperative_groups", WAITS)                      \
  X(CG, "cg", WAITS) X(THIS_GRID, "this_grid", WAITS) X(WMMA, "wmma", WAITS)                   \
  X(NVCUDA, "nvcuda", WAITS) X(CUDA, "cuda", WAITS)                                            \
  X(THIS_BLOCK, "this_thread_block", WAITS) X(THREAD_BLOCK, "thread_block", WAITS)             \
  X(TILED_PARTITION, "tiled_partition", WAITS) X(COALESCED, "coalesced_threads", WAITS)        \
  X(THIS_CLUSTER, "this_cluster", WAITS) X(DEVICE_SYNC, "cudaDeviceSynchronize", WAITS)        \
  X(GRID_SYNC, "cudaCGSynchronize", WAITS) X(LAUNCH_DEVICE, "cudaLaunchDevice", WAITS)         \
  X(LAUNCH_KERNEL, "cudaLaunchKernel", WAITS) X(ON_DEVICE, "simt_on_device", 0)                \
  X(TEXTURE, "texture", 0) X(MEMCPY, "memcpy", 0) X(MEMSET, "memset", 0)                       \
  X(MEMMOVE, "memmove", 0) X(MEMCMP, "memcmp", 0)                                              \
  X(MEMCPY2, "__builtin_memcpy", 0) X(MEMMOVE2, "__builtin_memmove", 0)                        \
  X(MEMSET2, "__builtin_memset", 0) X(MEMCMP2, "__builtin_memcmp", 0)
/* clang-format on */

#define KEYWORD_NUMBER(name, spelling, flags) KEYWORD_##name,
enum keyword { KEYWORDS(KEYWORD_NUMBER) KEYWORD_COUNT };
#undef KEYWORD_NUMBER

#endif
