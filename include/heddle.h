/* heddle.h - data-parallel primitives: reduce, dot, describe, scan, histogram, sort, by key, select
 *
 * Conventions, true of every call here:
 *
 * Status    Every call that can fail returns a heddle_status; results go through pointers.
 *           heddle_message() tells what failed, where, why and what to do about it.
 * Counts    size_t elements. Any other unit is in the name (bytes). Offsets are uint64_t.
 * Memory    The caller owns every array passed in and every array written to. The library
 *           keeps no pointer past the call, but for the handles that it returns.
 * Types     heddle_type names the type of an array; `const void *` points at its first
 *           element, at any alignment. f16 and bf16 are uint16_t bit patterns.
 * Order     Integers wrap modulo 2^width. Floats fold in order v1 (docs/order.md): the same
 *           bits on any CPU, with any number of threads, in every run.
 * Errors    On any status but HEDDLE_OK nothing was written, unless an entry says otherwise.
 * Options   A struct of options or results begins with its own size; set it by the _INIT
 *           macro. A null pointer to options means the defaults.
 * Threads   A context may be used from any thread; calls on one context serialise. Calls
 *           on different contexts run at once and share the machine's threads.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_VERSION_MAJOR 0
#define HEDDLE_VERSION_MINOR 1
#define HEDDLE_VERSION_PATCH 0
#define HEDDLE_VERSION 100 /* major * 10000 + minor * 100 + patch */
#define HEDDLE_ABI 0       /* equals the SONAME's number */
#define HEDDLE_ORDER 1     /* the version of the order that floats fold in */

#if defined(_WIN32) || !defined(__GNUC__)
#define HEDDLE_API
#define HEDDLE_MUST_CHECK
#else
#define HEDDLE_API __attribute__((visibility("default")))
#define HEDDLE_MUST_CHECK __attribute__((warn_unused_result))
#endif

/* ---- statuses ------------------------------------------------------------------------ */

typedef enum heddle_status {
  HEDDLE_OK = 0,
  HEDDLE_BAD_ARGUMENT = 1,  /* an argument breaks its contract; the message names it */
  HEDDLE_EMPTY = 2,         /* min, max, argmin or argmax of no values has no result */
  HEDDLE_OUT_OF_MEMORY = 3, /* an allocator gave no memory, or the caller's scratch is too small */
  HEDDLE_UNSUPPORTED = 4,   /* not defined for this type, or not made for this device */
  HEDDLE_NO_DEVICE = 5,     /* the device string names nothing that this machine has */
  HEDDLE_DEVICE_ERROR = 6,  /* the device or the system failed, or the process was forked; outputs
                               are undefined */
  HEDDLE_CANCELLED = 7,     /* the poll callback asked to stop; outputs are undefined */
  HEDDLE_BAD_DATA = 8,      /* the values in an array break the contract */
  HEDDLE_CALLBACK = 9       /* a custom operator returned a status of its own */
} heddle_status;

/* The calling thread's last error in full: what, where, why, remedy and the raw code of the
 * system, if any. Never null; "" before the first error. Valid until this thread's next
 * failing call. Success leaves it as it is. */
HEDDLE_API const char *heddle_message(void);

/* The name of a status, "HEDDLE_OK" and so on; "unknown status" for any other number. */
HEDDLE_API const char *heddle_status_name(heddle_status status);

/* HEDDLE_VERSION, HEDDLE_ABI and "0.1.0" of the library that is loaded, as opposed to those
 * of the header that was compiled against. */
HEDDLE_API int heddle_version(void);
HEDDLE_API int heddle_abi(void);
HEDDLE_API const char *heddle_version_string(void);

/* ---- element types ------------------------------------------------------------------- */

typedef enum heddle_type {
  HEDDLE_TYPE_DEFAULT = 0, /* in options: the default that the entry documents */
  HEDDLE_U8 = 1,
  HEDDLE_U16 = 2,
  HEDDLE_U32 = 3,
  HEDDLE_U64 = 4,
  HEDDLE_I8 = 5,
  HEDDLE_I16 = 6,
  HEDDLE_I32 = 7,
  HEDDLE_I64 = 8,
  HEDDLE_F16 = 9,   /* IEEE binary16, as uint16_t */
  HEDDLE_BF16 = 10, /* the upper half of an f32, as uint16_t */
  HEDDLE_F32 = 11,
  HEDDLE_F64 = 12,
  HEDDLE_CUSTOM = 13 /* elements of options->custom->element_bytes bytes */
} heddle_type;

/* Bytes an element: 1, 2, 4 or 8; 0 for any other number. */
HEDDLE_API size_t heddle_type_size(heddle_type type);
/* "u8" .. "f64"; "unknown type" for any other number. */
HEDDLE_API const char *heddle_type_name(heddle_type type);
/* The type that a name like "f32" stands for; HEDDLE_TYPE_DEFAULT for any other text. */
HEDDLE_API heddle_type heddle_type_parse(const char *name);
/* One element at `in` of `from` converted to `to` at `out`: floats are rounded to nearest
 * even, integers wrap, float to integer truncates towards zero and saturates, NaN gives 0.
 * out == in is allowed where `to` is no wider than `from`, any overlap if the types are one; any
 * other is HEDDLE_BAD_ARGUMENT, as is a type that is not one of the twelve. */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_convert(heddle_type from, const void *in,
                                                          heddle_type to, void *out, size_t count);

/* ---- contexts ------------------------------------------------------------------------ */

typedef struct heddle_context heddle_context;

/* heddle_open - a context on a device
 *
 * Result    *out, to be ended by heddle_close
 * Arguments device  "cpu"    as many threads as this process may use: the smaller of its
 *                            affinity mask and its cgroup's cpu.max; $HEDDLE_NUM_THREADS
 *                            overrides that
 *                   "cpu:4"  at most 4 threads, 1 to 1024
 *                   "cuda"   the NVIDIA GPU of the calling thread's current CUDA context, in that
 *                            context; without one, GPU 0 in its primary context
 *                   "cuda:1" GPU 1: the current CUDA context if it is of that GPU, else the GPU's
 *                            primary one. The caller keeps a context of its own alive until
 *                            heddle_close; a primary one is retained
 *                   "cuda:0,2" these GPUs as one, a group of at most 16, each named once; "cuda:all"
 *                            all that there are. All share an array of the host; device memory is
 *                            worked on by its owner alone, arrays of one call lie on one GPU or on the
 *                            host. One GPU does a sort, and scans and histograms in pieces. What is a
 *                            device's own is HEDDLE_UNSUPPORTED: preparing, scratch, its allocator,
 *                            handles of groups
 *                   "simt"   the software CUDA device, as if it were a GPU: for tests, not for speed;
 *                            "simt:1", "simt:0,1", "simt:all" where $SIMT_DEVICES says that there are more
 *                   NULL     $HEDDLE_DEVICE, or "cpu" if that is unset or empty
 * Errors    HEDDLE_NO_DEVICE, HEDDLE_BAD_ARGUMENT, HEDDLE_OUT_OF_MEMORY, HEDDLE_DEVICE_ERROR; *out
 *           is NULL then
 * Cost      microseconds; no thread starts before the first call that needs one. A GPU: what CUDA
 *           takes to start, if the process does not use it yet
 * Threads   any
 *
 * $HEDDLE_ISA (scalar, neon, avx2, avx512) lowers the instruction set used on a CPU; one that the
 * machine lacks falls back to the best it has, and heddle_info says so. */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_open(const char *device, heddle_context **out);

/* Ends a context; NULL is allowed. No call on it may be running, and its heddle_states must
 * have been ended. */
HEDDLE_API void heddle_close(heddle_context *ctx);

typedef struct heddle_device_info {
  size_t size;     /* sizeof(heddle_device_info), set by the caller */
  char device[64]; /* "cpu:2", "cuda:0", "simt:0" */
  char name[128];  /* the processor's own name */
  char isa[16];    /* "avx512", "avx2", "neon", "scalar"; "sm_90" */
  char note[128]; /* "" or why isa is not what HEDDLE_ISA asked for; on a GPU driver and compiler */
  unsigned threads; /* that a call on this context may use; a GPU: its multiprocessors */
} heddle_device_info;
#define HEDDLE_DEVICE_INFO_INIT \
  { sizeof(heddle_device_info), "", "", "", "", 0 }

/* What this context runs on. Errors: HEDDLE_BAD_ARGUMENT. */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_info(heddle_context *ctx,
                                                       heddle_device_info *out);

/* An executor runs task(arg, i) once for every i < count, in any order, at once or one after
 * the other, and returns when all have returned. It replaces the library's own threads on
 * this context; NULL brings them back. Results do not depend on it. */
typedef void heddle_task(void *arg, size_t index);
typedef void heddle_executor(void *user, size_t count, heddle_task *task, void *arg);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_set_executor(heddle_context *ctx,
                                                               heddle_executor *run, void *user);

/* All memory of the context and its states, but for the context itself, its threads and, on a GPU,
 * compiled kernels and tables of what the context holds, comes from allocate(user, bytes), aligned
 * to 64 bytes, and goes back by release(user, pointer, bytes). Both NULL: the C library's.
 * HEDDLE_BAD_ARGUMENT if only one is NULL, or while the context holds memory of the earlier pair.
 *
 * This and every other hook, and the poll callback, are called in the middle of calls on the
 * context: they must not use it. */
typedef void *heddle_allocate(void *user, size_t bytes);
typedef void heddle_release(void *user, void *memory, size_t bytes);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_set_allocator(heddle_context *ctx,
                                                                heddle_allocate *allocate,
                                                                heddle_release *release,
                                                                void *user);

/* poll(user) is called on the thread that made the call about every 50 ms of a long call.
 * Non-zero ends the call with HEDDLE_CANCELLED; the context stays usable. NULL: none. */
typedef int heddle_poll(void *user);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_set_poll(heddle_context *ctx, heddle_poll *poll,
                                                           void *user);

/* The device's stream for the calls to come, and waiting for it. On a CPU, where every call
 * returns when it is done, the stream must be NULL and heddle_sync returns at once.
 *
 * On a GPU the stream is a CUstream or cudaStream_t of the context's own CUDA context (else
 * HEDDLE_BAD_ARGUMENT); NULL is CUDA's default stream, and cudaStreamPerThread is refused. It must
 * live until another is set or the context is closed. Calls on the new stream wait for those on the
 * old one, on the device, unless the new one is being captured into a graph. From an old one that is
 * captured and had work before the capture that was not waited for, it is HEDDLE_BAD_ARGUMENT.
 * A call returns when it is queued if every array and result is device memory, otherwise when it
 * is done. heddle_sync waits for everything that was queued, and reports what kernels found wrong
 * in the data of calls that had returned: their outputs are undefined. */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_set_stream(heddle_context *ctx, void *stream);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_sync(heddle_context *ctx);
/* Reports what heddle_sync would, as far as kernels have found it by now: nothing waits. Each is reported
 * once, by whichever of the two comes first. */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_peek(heddle_context *ctx);

/* ---- device memory ------------------------------------------------------------------- */

/* On a GPU every array and every result of a call may be device memory (of the context's device,
 * aligned to its elements) or host memory; host arrays are streamed through pinned buffers, so
 * they may be larger than the GPU's memory. Options, heddle_rows.shape and .strides,
 * heddle_bins.edges and what they point at are host memory. heddle_description,
 * heddle_histogram_result and heddle_rows.offsets may be either; device memory of the two structs
 * is taken to have this version's size, and is written whole. Where offsets are device memory, the
 * overlap of two arrays is not found.
 *
 * heddle_device_alloc - memory that the context's device reads and writes fastest
 *
 * Result    *out: bytes of device memory, aligned to 256 bytes (a CPU's: to 64), not cleared
 * Errors    HEDDLE_OUT_OF_MEMORY, HEDDLE_BAD_ARGUMENT (while a stream is captured)
 * Owner     the caller: heddle_device_free, with the same context, before heddle_close. Freeing
 *           waits for work that uses it; NULL is allowed */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_device_alloc(heddle_context *ctx, size_t bytes,
                                                               void **out);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_device_free(heddle_context *ctx, void *memory);

/* heddle_copy - bytes from one array to another, either of which may be host or device memory
 *
 * Overlap   none
 * Order     after the work queued on the context's stream. Returns when queued between device
 *           memory and device or pinned memory, otherwise when done */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_copy(heddle_context *ctx, void *to,
                                                       const void *from, size_t bytes);

/* All device memory of the context and its states comes from allocate(user, bytes, stream) and
 * goes back by release(user, memory, bytes, stream): work on memory that is given back may still
 * be queued on that stream. Aligned to 256 bytes. Both NULL: the driver's. HEDDLE_BAD_ARGUMENT if
 * only one is NULL, or while the context holds memory of an earlier pair; on a CPU it is
 * heddle_device_alloc alone that asks them. */
typedef void *heddle_device_allocate(void *user, size_t bytes, void *stream);
typedef void heddle_device_release(void *user, void *memory, size_t bytes, void *stream);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status
heddle_set_device_allocator(heddle_context *ctx, heddle_device_allocate *allocate,
                            heddle_device_release *release, void *user);

/* heddle_prepare_begin, heddle_prepare_end - everything but the work, ahead of it
 *
 * Result    Between the two, calls on ctx check their arguments, compile and load their kernels and
 *           note the scratch they would take; they read and write no array and no result. End
 *           allocates the most that one of them took, unless the caller gave scratch. Afterwards
 *           the same calls (types, operators, options, counts, all arrays device memory whose
 *           addresses have the same remainders modulo 16: kernels differ by them) allocate
 *           nothing and do not wait, and so may be captured into a CUDA graph
 * Arguments scratch_bytes  set to the scratch that the calls need; NULL if it is not wanted
 * Errors    HEDDLE_BAD_ARGUMENT: not begun, begun twice, or a stream is captured;
 *           HEDDLE_OUT_OF_MEMORY
 * Graphs    A graph uses the context's memory: it and calls on ctx must not run at once, and the
 *           context must outlive it, as must the caller's scratch that it was captured with. After a
 *           capture the context frees no memory that a graph may use before heddle_close. A state
 *           that is begun while preparing is fit only for preparing its updates; no other may be
 *           used then
 * Threads   between the two, ctx is of the thread that began: what another calls is prepared, too,
 *           and not done
 * On a CPU  calls check their arguments and do nothing else; *scratch_bytes is 0 */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_prepare_begin(heddle_context *ctx);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_prepare_end(heddle_context *ctx,
                                                              size_t *scratch_bytes);

/* The caller's device memory as the scratch of the calls to come, aligned to 256 bytes; NULL and 0:
 * the context's own again. A call that needs more is HEDDLE_OUT_OF_MEMORY and says how many bytes.
 * Its content means nothing between calls. It is the caller's to keep until other scratch is set
 * and the work that was queued is done. Tables that outlive a call (bins, tickets) stay in the
 * context's own memory. On a CPU, whose scratch is from heddle_set_allocator, it is not used. */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_set_scratch(heddle_context *ctx, void *memory,
                                                              size_t bytes);

/* ---- operators ----------------------------------------------------------------------- */

typedef enum heddle_op {
  HEDDLE_SUM = 1,
  HEDDLE_PROD = 2,
  HEDDLE_MIN = 3,
  HEDDLE_MAX = 4,
  HEDDLE_AND = 5, /* bits of integers */
  HEDDLE_OR = 6,
  HEDDLE_XOR = 7,
  HEDDLE_ANY = 8, /* 1 if any element is non-zero (NaN is), else 0; reduce only */
  HEDDLE_ALL = 9, /* 1 if every element is non-zero, else 0; reduce only */
  HEDDLE_OP_CUSTOM = 10,
  HEDDLE_SUM_SQUARES = 11 /* each square rounded once to the accumulator, then as sum; of integers
                             modulo 2^64. The bits of heddle_dot of the array with itself */
} heddle_op;

/* What a NaN among the elements does. PROPAGATE: the result is the canonical NaN (argmin, argmax: the first
 * NaN wins). SKIP: it counts as the operator's identity; min, max, argmin and argmax of
 * nothing but NaN are HEDDLE_EMPTY. */
typedef enum heddle_nan { HEDDLE_NAN_PROPAGATE = 0, HEDDLE_NAN_SKIP = 1 } heddle_nan;

/* Which figures describe has to find. Fewer cost less, and have the bits that they have among all;
 * what is not asked for is there or NaN. MEAN: count, nan, infinite and mean. VARIANCE: these and
 * variance. DEVIATION, the root of the variance: of heddle_figure and heddle_figure_rows alone. */
typedef enum heddle_figures {
  HEDDLE_FIGURES_ALL = 0,
  HEDDLE_FIGURES_MEAN = 1,
  HEDDLE_FIGURES_VARIANCE = 2,
  HEDDLE_FIGURES_DEVIATION = 3
} heddle_figures;

/* A custom associative operator on elements of any fixed size, given in two block forms so
 * that a call costs little an element:
 *   combine  acc[i] = acc[i] op x[i]         for i < n
 *   pairs    out[i] = x[2 i] op x[2 i + 1]   for i < n; out may be x
 * Both may be called from several threads at once, with arrays aligned to 64 bytes or to the
 * element. A status other than HEDDLE_OK ends the call with HEDDLE_CALLBACK.
 * Not commutative: only neighbours are combined, left operand first, in a binary tree.
 * Commutative: columns of a chunk are folded first, as the built-in operators do.
 *
 * On a GPU identity and cuda_source are needed, combine and pairs are not used; elements have at
 * most 256 bytes (else HEDDLE_UNSUPPORTED). cuda_source is either
 *   "TYPE: EXPRESSION"  of the operands a and b, of CUDA C type TYPE: "float2: make_float2(a.x + b.x,
 *                       a.y + b.y)"
 * or CUDA C text that defines the type heddle_element and the function
 *   __device__ heddle_element heddle_combine(heddle_element a, heddle_element b)
 * and includes nothing. The type has element_bytes bytes. Multiplications and additions are not
 * fused. Text that does not compile is HEDDLE_BAD_ARGUMENT with the compiler's words, whose file is
 * "custom operator". */
typedef heddle_status heddle_combine(void *acc, const void *x, size_t n, void *user);
typedef heddle_status heddle_pairs(void *out, const void *x, size_t n, void *user);
typedef struct heddle_custom {
  size_t size;          /* sizeof(heddle_custom) */
  size_t element_bytes; /* 1 to 4096 */
  const void *identity; /* one element e with e op x == x op e == x */
  int commutative;      /* 1 if a op b == b op a for all a, b */
  heddle_combine *combine;
  heddle_pairs *pairs;
  void *user;              /* handed to both */
  const char *cuda_source; /* the same operator for a GPU; unused on a CPU */
} heddle_custom;
#define HEDDLE_CUSTOM_INIT \
  { sizeof(heddle_custom), 0, NULL, 0, NULL, NULL, NULL, NULL }

/* Options of reduce, dot, argmin/argmax, describe and scan.
 *
 * acc_type  what is accumulated in. Integers: always 64 bits for sum and prod, the input's
 *           type otherwise. Floats: f32 for f16, bf16 and f32; f64 for f64; HEDDLE_F64 asks
 *           for f64 whatever the input. min and max compare exactly and ignore it.
 * out_type  what the result is rounded to, once, from the accumulator.
 *           reduce, dot  default: the accumulator's type for sum and prod; the input's type
 *                        for min, max and the bit operators; HEDDLE_U8 for any and all
 *           scan         default: the input's type. Integers: sum and prod wrap in it
 *           A float accumulator gives only float types; an integer one any type.
 * init      NULL or one element of out_type; the result is op(init, result), for which init is
 *           converted to the accumulator's type (integers wrap). Scans that are exclusive
 *           start with it. A NaN in it propagates, whatever `nan` says. Not for
 *           argmin, argmax and describe. A scan and the verbs of rows read it while they write:
 *           it must not lie in their outputs.
 * custom    the operator of HEDDLE_OP_CUSTOM, whose type is HEDDLE_CUSTOM; else NULL
 * figures   of describe and of heddle_figure; the other verbs do not read it
 * divisor   0, or what a sum is divided by, in f64 and before its one rounding: a row's length makes
 *           means, NaN one NaN. Of HEDDLE_SUM and HEDDLE_SUM_SQUARES in reduce and reduce_rows; the
 *           result is then a float, of integers by default an f64, and there is no init.
 *           HEDDLE_UNSUPPORTED on a CPU, where a caller divides as quickly, but for exact sums: of
 *           those it is a whole number up to 2^53
 * exact     1: the exact sum, the real sum of the elements (squares, products) rounded once to
 *           out_type, nearest even, whatever their order; +0.0 if it is zero, infinite only if it is
 *           itself too large; NaN for a NaN or both infinities. init is one more element. Of floats'
 *           HEDDLE_SUM, HEDDLE_SUM_SQUARES and dot, by rows and in pieces, too; else
 *           HEDDLE_UNSUPPORTED, as on a GPU are rows of more than 2^28 elements with gaps between
 *           them. acc_type then only sets the default of out_type. Order: none, rule 15 of
 *           docs/order.md
 * ddof      of heddle_figure: what is taken off the count that divides the squares; the other verbs do
 *           not read it
 * start     of a state (_begin) of reduce, argreduce, dot and describe: the index, in the array that it
 *           is a piece of, of the first element that comes. Such states are merged with those of what
 *           lies before. Exact sums do not read it; elsewhere it is HEDDLE_BAD_ARGUMENT unless 0
 * prefix    of heddle_scan and heddle_scan_begin: a state of heddle_reduce_begin, with the same
 *           operator, type, acc_type and nan, that holds all of the array before the first element
 *           that comes; or NULL. The state stays as it is, and may be of any context. Its init is not
 *           read: the scan has its own */
typedef struct heddle_options {
  size_t size;
  heddle_nan nan;
  heddle_type acc_type;
  heddle_type out_type;
  const void *init;
  const heddle_custom *custom;
  heddle_figures figures;
  double divisor;
  double ddof;
  int exact;
  uint64_t start;
  const struct heddle_state *prefix;
} heddle_options;
#define HEDDLE_OPTIONS_INIT                                                                       \
  {                                                                                               \
    sizeof(heddle_options), HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL, \
        NULL, HEDDLE_FIGURES_ALL, 0, 0, 0, 0, NULL                                                \
  }

/* ---- result types -------------------------------------------------------------------- */

/* The calls that take heddle_options, each with its forms by rows and in pieces. */
typedef enum heddle_verb {
  HEDDLE_REDUCE = 1,
  HEDDLE_ARGREDUCE = 2, /* the result is the value, not the index */
  HEDDLE_DOT = 3,
  HEDDLE_DESCRIBE = 4, /* the result is any figure that is a double */
  HEDDLE_SCAN = 5
} heddle_verb;

/* heddle_result_type - the types that a call accumulates in and writes
 *
 * Result    *out = the element type of the result, *acc = that of the accumulator; either pointer
 *           may be NULL. A custom operator: HEDDLE_CUSTOM for both
 * Arguments verb     the call
 *           op       the operator of reduce and scan; not read for the other verbs
 *           type     the input's element type
 *           options  only acc_type and out_type are read
 * Errors    those of the call itself for these arguments: HEDDLE_OK says that it takes them, else
 *           HEDDLE_BAD_ARGUMENT or HEDDLE_UNSUPPORTED
 * Cost      nanoseconds; no memory
 * Threads   any; no context is needed */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_result_type(heddle_verb verb, heddle_op op,
                                                              heddle_type type,
                                                              const heddle_options *options,
                                                              heddle_type *out, heddle_type *acc);

/* ---- one array, one result ----------------------------------------------------------- */

/* heddle_reduce - all elements folded into one
 *
 * Result    *out = in[0] op in[1] op ... op in[count-1]
 * Arguments in      count elements of `type`
 *           count   0 is valid: sum +0.0, prod 1, and all ones, or and xor 0, any 0, all 1,
 *                   a custom operator its identity
 *           out     one element of options->out_type
 * Overlap   out may lie inside in: it is written last
 * Errors    HEDDLE_BAD_ARGUMENT, HEDDLE_UNSUPPORTED (and, or, xor of floats), HEDDLE_EMPTY
 *           (min, max of nothing), HEDDLE_CANCELLED, HEDDLE_CALLBACK, HEDDLE_OUT_OF_MEMORY
 * Order     v1, rules 2 to 5
 * Cost      one read an element; O(1) memory
 * Threads   up to the context's, from about 1 MiB on
 * Source    docs/order.md */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_reduce(heddle_context *ctx, heddle_op op,
                                                         heddle_type type, const void *in,
                                                         size_t count, void *out,
                                                         const heddle_options *options);

typedef enum heddle_extreme { HEDDLE_ARGMIN = 1, HEDDLE_ARGMAX = 2 } heddle_extreme;

/* heddle_argreduce - where the least or the greatest element is
 *
 * Result    *index = the lowest i whose in[i] is the least (greatest); -0.0 equals +0.0
 *           *value = in[*index], or NULL if it is not wanted
 * Arguments as heddle_reduce; value is of the input's type; only options->nan is read
 * Overlap   both may lie inside in: they are written last; not in one another
 * Errors    as heddle_reduce; HEDDLE_EMPTY for no values
 * Order     none: exact
 * Cost      one read an element; O(1) memory */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_argreduce(heddle_context *ctx,
                                                            heddle_extreme which, heddle_type type,
                                                            const void *in, size_t count,
                                                            void *value, uint64_t *index,
                                                            const heddle_options *options);

/* heddle_dot - the sum of products
 *
 * Result    *out = x[0] y[0] + ... ; each product is rounded once to the accumulator's type
 * Arguments x, y    count elements of `type` each; may be the same array
 *           out     one element of options->out_type
 * Overlap   as heddle_reduce
 * Errors    as heddle_reduce
 * Order     v1, rule 8: the bits of heddle_reduce(HEDDLE_SUM) over the rounded products
 * Cost      one read of each array; O(1) memory */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_dot(heddle_context *ctx, heddle_type type,
                                                      const void *x, const void *y, size_t count,
                                                      void *out, const heddle_options *options);

/* heddle_describe - the usual figures in one pass
 *
 * Result    *out; see the struct. NaN are counted; with HEDDLE_NAN_PROPAGATE they make min,
 *           max, sum, mean, variance and skewness NaN, with HEDDLE_NAN_SKIP they are left out
 * Arguments as heddle_reduce; only options->nan and options->figures are read
 * Order     v1, rule 9, in f64
 * Cost      one read an element; O(1) memory */
typedef struct heddle_description {
  size_t size;       /* sizeof(heddle_description), set by the caller */
  uint64_t count;    /* elements seen, NaN included */
  uint64_t nan;      /* of which NaN */
  uint64_t infinite; /* of which infinite, either sign */
  double min, max;   /* NaN if there is no value */
  double sum;        /* infinite if it overflows on its way, whatever comes later */
  double mean;       /* NaN if there is no value; finite if all values are, even where sum is not */
  double variance;   /* of the population, M2 / n; times n / (n - 1) for a sample's; infinite if the
                      squares overflow */
  double skewness;   /* of the population, (M3 / n) / variance^1.5; NaN if variance is 0 */
} heddle_description;
#define HEDDLE_DESCRIPTION_INIT \
  { sizeof(heddle_description), 0, 0, 0, 0, 0, 0, 0, 0, 0 }
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_describe(heddle_context *ctx, heddle_type type,
                                                           const void *in, size_t count,
                                                           heddle_description *out,
                                                           const heddle_options *options);

/* heddle_figure - a mean, a variance or its root, alone
 *
 * Result    *out: with options->figures HEDDLE_FIGURES_MEAN the mean that heddle_describe finds, with
 *           _VARIANCE its variance * (n / (n - ddof)) of the n values that count, with _DEVIATION the
 *           root of that; both are NaN if a value is infinite, infinite or NaN if ddof leaves nothing.
 *           Rounded once, from f64
 * Arguments in       as heddle_reduce
 *           out      one element of options->out_type, by default an f64
 *           options  needed, for its figures; and nan, ddof and out_type, a float type
 * Overlap   as heddle_reduce
 * Errors    as heddle_describe; HEDDLE_BAD_ARGUMENT for HEDDLE_FIGURES_ALL
 * Order     v1, rule 9, in f64
 * Cost      less than heddle_describe; on a GPU one launch, at the speed of reading */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_figure(heddle_context *ctx, heddle_type type,
                                                         const void *in, size_t count, void *out,
                                                         const heddle_options *options);

/* ---- scan ---------------------------------------------------------------------------- */

typedef enum heddle_scan_kind { HEDDLE_INCLUSIVE = 0, HEDDLE_EXCLUSIVE = 1 } heddle_scan_kind;

/* heddle_scan - running totals of an array (prefix sum)
 *
 * Result    HEDDLE_INCLUSIVE: out[i] = in[0] op ... op in[i]
 *           HEDDLE_EXCLUSIVE: out[i] = in[0] op ... op in[i-1]; out[0] = options->init, or
 *           the identity: sum +0.0, prod 1, min the greatest value, max the least, and all
 *           ones, or and xor 0
 * Arguments in      count elements of `type`
 *           out     count elements of options->out_type
 * Overlap   out == in is allowed if both types have one size; any other overlap is not
 * Errors    HEDDLE_BAD_ARGUMENT, HEDDLE_UNSUPPORTED (any, all; bit operators of floats),
 *           HEDDLE_OUT_OF_MEMORY; HEDDLE_CANCELLED and HEDDLE_CALLBACK leave out undefined
 * Order     v1, rules 4 and 6: inclusive out[i] has the bits of heddle_reduce over in[0..i].
 *           A scan of non-negative floats may therefore fall by an ulp between neighbours
 * Cost      one read and one write an element; O(1) memory a thread
 * Threads   up to the context's, from about 1 MiB on
 * Source    Blelloch 1990 (up-sweep, down-sweep); tiles chained as in Merrill and Garland 2016 */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_scan(heddle_context *ctx, heddle_op op,
                                                       heddle_scan_kind kind, heddle_type type,
                                                       const void *in, size_t count, void *out,
                                                       const heddle_options *options);

/* ---- rows: an axis of an n-D array, or segments --------------------------------------- */

#define HEDDLE_MAX_DIMS 32

/* How one array is cut into rows. Either segments (offsets != NULL):
 *   row r is in[offsets[r]] .. in[offsets[r+1] - 1], r < segments; offsets must not fall
 * or the rows along one axis of a strided array (offsets == NULL):
 *   element (i0, i1, ..) is in[i0 * strides[0] + i1 * strides[1] + ..], strides in elements,
 *   zero and negative ones included; rows are counted in C order of the other axes.
 * The library reads the arrays only during the call. */
typedef struct heddle_rows {
  size_t size;
  const uint64_t *offsets; /* segments + 1 */
  size_t segments;
  size_t dims, axis;        /* dims 1 to HEDDLE_MAX_DIMS, axis < dims */
  const size_t *shape;      /* dims */
  const ptrdiff_t *strides; /* dims; NULL: C order without gaps */
} heddle_rows;
#define HEDDLE_ROWS_INIT \
  { sizeof(heddle_rows), NULL, 0, 0, 0, NULL, NULL }

/* The verbs above, once a row. Every row has exactly the bits of the plain call on that row.
 *
 * Result    reduce, argreduce, dot, describe: one result a row, row after row: arrays of as many
 *           results as there are rows (describe: the size of the first must be set, to
 *           sizeof(heddle_description))
 *           scan: segments: out[i] belongs to in[i]. Axis: out is in C order without gaps,
 *           of the whole shape
 *           index counts from the row's start
 * Overlap   scan: as the plain call, where the elements of in lie as those of out. Otherwise none:
 *           rows are finished in any order. Outputs may lie in the gaps of a strided array, but not
 *           where its rows lie in one another (sliding windows)
 * Errors    as the plain calls, but an empty row is no error: min, max give the identity
 *           (floats: infinity) and argreduce SIZE_MAX with the value left as it is.
 *           HEDDLE_BAD_ARGUMENT names the first offset that falls, and refuses a shape whose axes
 *           that are not empty multiply to more than memory holds, even if another one is empty
 * Threads   rows are spread over the context's threads; a few long rows are split */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_reduce_rows(heddle_context *ctx, heddle_op op,
                                                              heddle_type type, const void *in,
                                                              const heddle_rows *rows, void *out,
                                                              const heddle_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_argreduce_rows(
    heddle_context *ctx, heddle_extreme which, heddle_type type, const void *in,
    const heddle_rows *rows, void *value, uint64_t *index, const heddle_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_dot_rows(heddle_context *ctx, heddle_type type,
                                                           const void *x, const void *y,
                                                           const heddle_rows *rows, void *out,
                                                           const heddle_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_describe_rows(heddle_context *ctx,
                                                                heddle_type type, const void *in,
                                                                const heddle_rows *rows,
                                                                heddle_description *out,
                                                                const heddle_options *options);
/* heddle_figure_rows - one figure a row, a plain number
 *
 * Result    out[r]: on a GPU the heddle_figure of row r, an element of options->out_type, by default an
 *           f64. On a CPU an f64, what heddle_describe_rows says of row r: with options->figures
 *           HEDDLE_FIGURES_MEAN its mean, with HEDDLE_FIGURES_VARIANCE its variance
 * Arguments options  needed, for its figures and nan; HEDDLE_FIGURES_ALL is HEDDLE_BAD_ARGUMENT
 * Errors    as heddle_describe_rows; HEDDLE_UNSUPPORTED on a CPU for another type, a ddof, and
 *           HEDDLE_FIGURES_DEVIATION
 * Cost      less than heddle_describe_rows where rows are short: an eighth of what that writes */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_figure_rows(heddle_context *ctx, heddle_type type,
                                                              const void *in,
                                                              const heddle_rows *rows, void *out,
                                                              const heddle_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_scan_rows(heddle_context *ctx, heddle_op op,
                                                            heddle_scan_kind kind, heddle_type type,
                                                            const void *in, const heddle_rows *rows,
                                                            void *out,
                                                            const heddle_options *options);

/* ---- histogram ----------------------------------------------------------------------- */

typedef enum heddle_binning {
  HEDDLE_BINS_INTEGER = 1, /* bin i counts the integer value first + i; integer types only */
  HEDDLE_BINS_EVEN = 2,    /* `count` bins of one width over [lo, hi] */
  HEDDLE_BINS_LOG = 3,     /* `count` bins of one ratio over [lo, hi], 0 < lo < hi */
  HEDDLE_BINS_EDGES = 4    /* bin i is edges[i] <= x < edges[i+1] */
} heddle_binning;

/* Bins. An element x, a float as it is or an integer rounded to f64, is in bin i if
 * edges[i] <= x < edges[i+1]; the last bin includes its upper edge. Among equal edges the
 * last pair holds the element, as searchsorted finds it.
 *
 * The edges of HEDDLE_BINS_EVEN are numpy.linspace(lo, hi, count + 1) in f64, rounded once to
 * the type of float input (f16, bf16, f32); the last is hi. With auto_range they are computed
 * in the type of float input throughout, as NumPy 2 does. lo == hi means lo - 0.5, hi + 0.5.
 * The edges of HEDDLE_BINS_LOG are lo (hi / lo)^(i / count) in f64.
 * auto_range: lo and hi are the least and the greatest finite value (log: positive one), found
 * in a pass before; 0 and 1 (log: 1 and 10) if there is none. Not for a state. */
typedef struct heddle_bins {
  size_t size;
  heddle_binning kind;
  size_t count;        /* 1 to 2^28 */
  double lo, hi;       /* EVEN, LOG: finite, lo <= hi */
  int auto_range;      /* EVEN, LOG: 1 finds lo and hi */
  const double *edges; /* EDGES: count + 1, none NaN, not falling */
  int64_t first;       /* INTEGER */
} heddle_bins;
#define HEDDLE_BINS_INIT \
  { sizeof(heddle_bins), HEDDLE_BINS_EVEN, 0, 0, 0, 0, NULL, 0 }

typedef struct heddle_histogram_result {
  size_t size;    /* sizeof(heddle_histogram_result), set by the caller */
  uint64_t count; /* elements seen: all counts + under + over + nan */
  uint64_t under; /* below the first edge */
  uint64_t over;  /* above the last edge */
  uint64_t nan;
  double lo, hi; /* the first and the last edge in use */
} heddle_histogram_result;
#define HEDDLE_HISTOGRAM_RESULT_INIT \
  { sizeof(heddle_histogram_result), 0, 0, 0, 0, 0, 0 }

/* Options of histogram.
 *
 * channels  1 to 4 (0 means 1): element i belongs to channel i % channels; counts and sums are
 *           `channels` tables after each other, all with the same bins; result is an array of
 *           `channels` structs
 * weights   NULL, or one weight an element, of weights_type (any type)
 * sums      where weights != NULL, and then needed: channels * bins doubles, the sum of the weights
 *           in a bin, fixed-point exact (rule 14), rounded once to f64; counts may then be NULL
 * weight_exponent  the least E with |w| < 2^E for every finite weight, as frexp gives it;
 *           HEDDLE_FIND_EXPONENT has the call find it in a pass before; a state needs it
 * exact     1: each sum is the real sum of the weights of its bin, rounded once to f64 (rule 15 in place
 *           of rule 14); weight_exponent is not read, a state needs none. Integers: the same sums */
#define HEDDLE_FIND_EXPONENT (-2147483647 - 1)
typedef struct heddle_histogram_options {
  size_t size;
  size_t channels;
  const void *weights;
  heddle_type weights_type;
  int weight_exponent;
  double *sums;
  int exact;
} heddle_histogram_options;
#define HEDDLE_HISTOGRAM_OPTIONS_INIT \
  { sizeof(heddle_histogram_options), 1, NULL, HEDDLE_TYPE_DEFAULT, HEDDLE_FIND_EXPONENT, NULL, 0 }

/* heddle_histogram - how many elements fall into each bin
 *
 * Result    counts[i], i < bins->count, and *result (may be NULL) for what fell outside
 * Arguments in      count elements of `type`; a multiple of channels
 *           counts  channels * bins->count counts, set, not added to; they count elements, whatever
 *                   the weights
 *           result  NULL, or an array of as many results as there are channels, one after the
 *                   other, each with its size set by the _INIT macro: one struct for several
 *                   channels is HEDDLE_BAD_ARGUMENT and not written
 * Overlap   none, neither of outputs with in, weights or edges nor of two outputs
 * Errors    HEDDLE_BAD_ARGUMENT (bins that fall, NaN in edges, ...), HEDDLE_UNSUPPORTED
 *           (HEDDLE_BINS_INTEGER of floats), HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED
 * Order     counts are exact; weighted sums by rule 14 or 15: the same bits everywhere
 * Cost      one read an element, two with auto_range; memory: a table a thread; exact: to 600 B a bin
 * Threads   up to the context's
 * Source    docs/histogram.md */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_histogram(
    heddle_context *ctx, heddle_type type, const void *in, size_t count, const heddle_bins *bins,
    uint64_t *counts, heddle_histogram_result *result, const heddle_histogram_options *options);

/* The bins->count + 1 edges that heddle_histogram compares elements of `type` with; for
 * HEDDLE_BINS_INTEGER first, first + 1, ...; HEDDLE_BAD_ARGUMENT for auto_range, unless lo
 * and hi hold what it found (heddle_histogram_result gives them). */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_histogram_edges(heddle_type type,
                                                                  const heddle_bins *bins,
                                                                  double *edges);

/* ---- sort ---------------------------------------------------------------------------- */

/* Options of the sorts.
 *
 * descending  1: from the greatest to the least. Equal elements keep their order all the same
 * nan_first   1: NaN come before all numbers, in either direction; 0: behind them
 * bit_begin, bit_end  integers: only these bits of an element are compared, bit_begin <= i < bit_end, as an
 *             unsigned number whose top bit is turned over if it is the sign; 0 and 0: all bits.
 *             Elements stay whole
 * overwrite   1: the inputs may be used as memory and mean nothing afterwards: saves as much scratch. Ignored
 *             where an output is its input
 * scratch     NULL: memory of the context's allocator. Else scratch_bytes bytes of the caller's, for this
 *             call, apart from all arrays, on a GPU device memory; heddle_sort_scratch tells how many
 *             are always enough. The entries of rows do not read it */
typedef struct heddle_sort_options {
  size_t size;
  int descending;
  int nan_first;
  unsigned bit_begin, bit_end;
  int overwrite;
  void *scratch;
  size_t scratch_bytes;
} heddle_sort_options;
#define HEDDLE_SORT_OPTIONS_INIT \
  { sizeof(heddle_sort_options), 0, 0, 0, 0, 0, NULL, 0 }

/* heddle_sort - the elements in order
 *
 * Result    out[i] = the elements of in, out[0] <= out[1] <= ..; floats by value, -0.0 before +0.0, then
 *           all NaN with their payloads, those of positive sign first
 * Arguments in, out  count elements of `type` each; count may be beyond 2^32
 * Overlap   out == in is allowed, any other overlap is not
 * Errors    HEDDLE_BAD_ARGUMENT (bits outside of the type, bits of floats, ...); HEDDLE_OUT_OF_MEMORY, with
 *           nothing written; HEDDLE_CANCELLED leaves out (overwrite: in, too) undefined
 * Order     stable, where bits are given; else the result is one sequence whatever the method: the same
 *           on any number of threads, in every run
 * Cost      in order or in reverse: one read and one write an element. 8 and 16 bits: two reads and one
 *           write. Else two reads and two to three writes, and one more of both for each 10 bits or so by
 *           which too many elements are alike. Memory: count elements where out == in or few bits tell
 *           most elements apart; else about 2 MiB a thread. On a GPU: a read, and a read and a write for each
 *           byte in which keys differ; up to some thousand elements one launch. Memory there: count elements,
 *           and a KiB for each 4 to 8 Ki of them, and arrays of the host besides: larger ones are sorted in
 *           parts, which go there and back twice, by as much of the host's memory again (overwrite: none)
 * Threads   up to the context's, from about 256 Ki elements on
 * Source    on a GPU Adinets and Merrill 2022 (onesweep). On a CPU radix sort from the top by write-combining, from the bottom within a cache: Wassenberg and
 *           Sanders 2011; Satish et al. 2010. With AVX2 or AVX-512 quicksort by vectors within a cache:
 *           Bramas 2017; Blacher et al. 2022 */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_sort(heddle_context *ctx, heddle_type type,
                                                       const void *in, size_t count, void *out,
                                                       const heddle_sort_options *options);

/* heddle_sort_pairs - values in the order of their keys
 *
 * Result    keys_out as heddle_sort, and values_out[i] the value that came with keys_out[i]. Keys that
 *           are equal keep their order: among them -0.0 and +0.0, and all NaN
 * Arguments keys, keys_out      count elements of `type` each; keys_out NULL: they are not wanted
 *           values, values_out  count values of value_bytes bytes each: 1, 2, 4, 8 or 16
 * Overlap   keys_out == keys and values_out == values are allowed, any other overlap is not
 * Errors    as heddle_sort
 * Order     stable
 * Cost      as heddle_sort of elements as large as a key and its value, of 8, 16, 24 or 32 bytes; floats are
 *           read once more. Memory: count times that, twice if few bits tell most keys apart
 * Threads   as heddle_sort
 * Source    as heddle_sort */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_sort_pairs(heddle_context *ctx, heddle_type type,
                                                             const void *keys, size_t value_bytes,
                                                             const void *values, size_t count,
                                                             void *keys_out, void *values_out,
                                                             const heddle_sort_options *options);

/* heddle_argsort - where the elements of the sorted array are
 *
 * Result    in[index[0]] <= in[index[1]] <= ..; equal elements, among them -0.0 and +0.0 and all NaN, by
 *           position
 * Arguments in          count elements of `type`
 *           index_type  HEDDLE_U32 or HEDDLE_U64, of index; HEDDLE_U32 is HEDDLE_BAD_ARGUMENT where count is
 *                       above 2^32
 *           index       count positions
 * Overlap   none
 * Errors    as heddle_sort
 * Order     stable
 * Cost      as heddle_sort_pairs with values of 4 bytes, from 2^32 elements on of 8
 * Threads   as heddle_sort
 * Source    as heddle_sort */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_argsort(heddle_context *ctx, heddle_type type,
                                                          const void *in, size_t count,
                                                          heddle_type index_type, void *index,
                                                          const heddle_sort_options *options);

/* The same once a row; rows cut keys and values alike, positions count from the row's start.
 *
 * Result    segments: out[i] belongs to in[i]. Axis: outputs are in C order without gaps, of the whole
 *           shape
 * Overlap   as the plain call, where the elements of in lie as those of out; else none
 * Errors    as the plain call, and those of rows (heddle_reduce_rows). A row without elements is none.
 *           HEDDLE_OUT_OF_MEMORY may come when rows are sorted already: outputs are undefined
 * Cost      one read and one write an element of rows that fit a cache. Memory: 64 rows of up to 64 elements a
 *           thread, two longer ones
 * Threads   rows are spread over the context's threads; rows beyond a cache are sorted by all of them */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_sort_rows(heddle_context *ctx, heddle_type type,
                                                            const void *in, const heddle_rows *rows,
                                                            void *out,
                                                            const heddle_sort_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_sort_pairs_rows(
    heddle_context *ctx, heddle_type type, const void *keys, size_t value_bytes, const void *values,
    const heddle_rows *rows, void *keys_out, void *values_out, const heddle_sort_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_argsort_rows(heddle_context *ctx,
                                                               heddle_type type, const void *in,
                                                               const heddle_rows *rows,
                                                               heddle_type index_type, void *index,
                                                               const heddle_sort_options *options);

typedef enum heddle_sort_verb {
  HEDDLE_SORT_KEYS = 1,  /* heddle_sort */
  HEDDLE_SORT_PAIRS = 2, /* heddle_sort_pairs */
  HEDDLE_ARGSORT = 3     /* heddle_argsort */
} heddle_sort_verb;

/* heddle_sort_scratch - how much scratch is enough
 *
 * Result    *bytes: with so many in options->scratch the call does not lack memory and asks no allocator,
 *           whatever the elements are; arrays have to be aligned to their elements
 * Arguments verb         the call
 *           value_bytes  of a value of pairs, of a position of argsort (4 or 8); not read for keys
 *           options      those of the call; scratch is not read
 * Errors    those of the call itself for these arguments
 * Cost      nanoseconds; no memory
 * Threads   any */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_sort_scratch(
    heddle_context *ctx, heddle_sort_verb verb, heddle_type type, size_t value_bytes, size_t count,
    const heddle_sort_options *options, size_t *bytes);

/* ---- what a call would run ------------------------------------------------------------- */

/* Calls that a question has by their names; the verbs, histograms and sorts have fields of their own.
 *
 * HEDDLE_CALL_NTH           `wanted` ranks; sort_options
 * HEDDLE_CALL_PARTIAL_SORT  the first `wanted`, with positions of value_bytes, 4 or 8; 0: without; sort_options
 * HEDDLE_CALL_QUANTILES     `wanted` shares; quantile_options, whose weights are not read but for NULL
 * HEDDLE_CALL_SELECT, HEDDLE_CALL_PARTITION  elements of value_bytes; `where`, whose `of` is not read
 * HEDDLE_CALL_POSITIONS     positions of value_bytes, 4 or 8; where
 * HEDDLE_CALL_REDUCE_BY_KEY, HEDDLE_CALL_SCAN_BY_KEY  op, type, options; keys of key_type
 * HEDDLE_CALL_GROUPS_REDUCE, HEDDLE_CALL_SCATTER_REDUCE  op, type, options; `count` rows of `width` elements into
 *                           `wanted` groups; ids of key_type, taken to be in no order. The first is of a handle
 *                           that is made
 * HEDDLE_CALL_HISTOGRAM_ND  `bins` of `wanted` axes; histogram_nd_options, whose strides alone are read, and of the
 *                           other arrays whether they are NULL; count points */
typedef enum heddle_call {
  HEDDLE_CALL_NTH = 1,
  HEDDLE_CALL_PARTIAL_SORT = 2,
  HEDDLE_CALL_QUANTILES = 3,
  HEDDLE_CALL_SELECT = 4,
  HEDDLE_CALL_PARTITION = 5,
  HEDDLE_CALL_POSITIONS = 6,
  HEDDLE_CALL_REDUCE_BY_KEY = 7,
  HEDDLE_CALL_SCAN_BY_KEY = 8,
  HEDDLE_CALL_GROUPS_REDUCE = 9,
  HEDDLE_CALL_SCATTER_REDUCE = 10,
  HEDDLE_CALL_HISTOGRAM_ND = 11
} heddle_call;

/* A call by its arguments, without its arrays. */
typedef struct heddle_question {
  size_t size;
  heddle_verb verb;              /* not read where bins is given */
  heddle_op op;                  /* reduce, scan; not read for the others */
  heddle_type type;              /* of the elements */
  size_t count;                  /* elements; not read where rows are given */
  size_t align;                  /* bytes, a power of two: the greatest that divides the arrays'
                                    addresses, from 16 on all are one; 0: 16 */
  const heddle_rows *rows;       /* NULL: one array */
  const heddle_options *options; /* those of the call; NULL: the defaults */
  const heddle_bins *bins;       /* heddle_histogram with these; NULL: another verb */
  const heddle_histogram_options *histogram; /* channels and weights_type alone are read */
  heddle_sort_verb sort; /* a sort; verb, op and options are not read then. 0: none */
  size_t value_bytes;    /* of its values; HEDDLE_ARGSORT: of a position, 4 or 8 */
  const heddle_sort_options *sort_options;
  heddle_call call; /* by its name; other verbs, options and bins are not read. 0: none */
  size_t wanted;    /* ranks, shares, first elements, groups, axes */
  const struct heddle_quantile_options *quantile_options;
  const struct heddle_where *where;
  heddle_type key_type; /* of keys, of ids */
  size_t width;         /* elements of a row that belongs to a group; 0: 1 */
  const struct heddle_histogram_nd_options *histogram_nd_options;
} heddle_question;
#define HEDDLE_QUESTION_INIT                                                                   \
  {                                                                                            \
    sizeof(heddle_question), HEDDLE_REDUCE, HEDDLE_SUM, HEDDLE_TYPE_DEFAULT, 0, 0, NULL, NULL, \
        NULL, NULL, (heddle_sort_verb)0, 0, NULL, (heddle_call)0, 0, NULL, NULL,               \
        HEDDLE_TYPE_DEFAULT, 0, NULL                                                           \
  }

/* Names are for people: they may change with any version. */
typedef struct heddle_plan {
  size_t size;       /* sizeof(heddle_plan), set by the caller */
  char strategy[32]; /* "one_wave"; "none" where nothing is there to scan or count */
  char kernel
      [64]; /* what folds, scans, counts or sorts: "heddle_fold_one_wave"; a CPU: "sum_f32_f32" */
  char then[64];         /* the kernel of the launch behind it, or "" */
  char file[64];         /* where the source of both is, below src: "kernels/fold/one_wave.cu" */
  char isa[16];          /* what it runs on, as in heddle_device_info: "sm_90", "avx2" */
  unsigned threads;      /* a block; on a CPU of the call, at most */
  unsigned processors;   /* that the context has: multiprocessors, or a CPU's threads */
  uint64_t blocks;       /* of the first launch; 0: as many as the device runs at once and the
                          elements are worth, which the compiled kernel tells. A CPU: 1 */
  uint64_t shared_bytes; /* a block's shared memory beside what the kernel declares. A CPU: 0 */
  uint64_t shared_most;  /* bytes of it that a block of this device may have. A CPU: 0 */
} heddle_plan;
#define HEDDLE_PLAN_INIT \
  { sizeof(heddle_plan), "", "", "", "", "", 0, 0, 0, 0, 0 }

/* heddle_explain - what a call on this context would run: strategy, kernel and size of the launch
 *
 * Result    *out, by the choosers that the call itself asks: it would run that
 * Arguments question  the call; on a GPU its arrays are taken to be device memory (host arrays go
 *                     through the same choice slice by slice), and inputs and outputs apart. Only the
 *                     first launch of those that split an array is told. auto_range is taken as
 *                     [0, 1], logarithmic as [1, 10]; segments by the first one, of a sort by all that
 *                     the host sees; with weights both counts and sums are wanted. Of a `call` the CPU's is the
 *                     longest way: elements that are in order, or like each other, may end it sooner
 * Errors    those of the call itself for these arguments, but not HEDDLE_EMPTY; HEDDLE_BAD_ARGUMENT
 *           also for an align that is no power of two, or that the device refuses for the type
 * Order     none: nothing runs
 * Cost      microseconds; a histogram: its tables of bins, which a GPU's context keeps for the call.
 *           Nothing is compiled or launched
 * Threads   any */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_explain(heddle_context *ctx,
                                                          const heddle_question *question,
                                                          heddle_plan *out);

/* ---- the same in pieces --------------------------------------------------------------- */

/* A state takes an array in pieces: begin, any number of updates, finish. However the array
 * is cut, the result has the bits of the plain call on the whole. A state is of one context,
 * holds O(log n) totals and one partial chunk (a histogram, quantiles: tables; first elements:
 * these), and is used by one thread at a time. An update that fails leaves the state fit only for heddle_state_free.
 * _finish writes the result of what came so far and leaves the state as it is: more updates
 * may follow. heddle_state_free ends it; NULL is allowed. Quantiles take their data more than once: see
 * heddle_quantiles_begin. */
typedef struct heddle_state heddle_state;
HEDDLE_API void heddle_state_free(heddle_state *state);

HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_reduce_begin(heddle_context *ctx, heddle_op op,
                                                               heddle_type type,
                                                               const heddle_options *options,
                                                               heddle_state **out);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_reduce_update(heddle_state *state, const void *in,
                                                                size_t count);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_reduce_finish(heddle_state *state, void *out);

HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_argreduce_begin(heddle_context *ctx,
                                                                  heddle_extreme which,
                                                                  heddle_type type,
                                                                  const heddle_options *options,
                                                                  heddle_state **out);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_argreduce_update(heddle_state *state,
                                                                   const void *in, size_t count);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_argreduce_finish(heddle_state *state, void *value,
                                                                   uint64_t *index);

HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_dot_begin(heddle_context *ctx, heddle_type type,
                                                            const heddle_options *options,
                                                            heddle_state **out);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_dot_update(heddle_state *state, const void *x,
                                                             const void *y, size_t count);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_dot_finish(heddle_state *state, void *out);

HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_describe_begin(heddle_context *ctx,
                                                                 heddle_type type,
                                                                 const heddle_options *options,
                                                                 heddle_state **out);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_describe_update(heddle_state *state,
                                                                  const void *in, size_t count);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_describe_finish(heddle_state *state,
                                                                  heddle_description *out);

/* A scan writes count elements of output for each update; _finish writes the total of what
 * came so far, with init, as heddle_reduce would give it, rounded to the scan's out_type. */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_scan_begin(heddle_context *ctx, heddle_op op,
                                                             heddle_scan_kind kind,
                                                             heddle_type type,
                                                             const heddle_options *options,
                                                             heddle_state **out);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_scan_update(heddle_state *state, const void *in,
                                                              size_t count, void *out);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_scan_finish(heddle_state *state, void *total);

/* options->sums is ignored: _finish has its own, which may be NULL if only counts are wanted, and
 * counts and result as heddle_histogram. options->weights is ignored, too: each update brings its
 * own weights, NULL where options->weights_type is HEDDLE_TYPE_DEFAULT. A state with channels
 * takes whole groups. */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status
heddle_histogram_begin(heddle_context *ctx, heddle_type type, const heddle_bins *bins,
                       const heddle_histogram_options *options, heddle_state **out);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_histogram_update(heddle_state *state,
                                                                   const void *in,
                                                                   const void *weights,
                                                                   size_t count);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_histogram_finish(heddle_state *state,
                                                                   uint64_t *counts,
                                                                   heddle_histogram_result *result,
                                                                   double *sums);

/* ---- states as bytes ------------------------------------------------------------------- */

/* Pieces of one array may be taken by states of their own: on several threads, devices, hosts, at
 * several times. Merged, by any tree of merges, they give the bits of the plain call on the whole
 * array. What is order-free (integers, extremes and their places, any, all, exact sums, counts) merges
 * in any order; of other states the two have to be neighbours, by options->start and what came.
 *
 * heddle_state_merge - the state of two pieces together
 *
 * Result    into holds what both held; from stays as it is
 * Arguments into, from  of the same call with the same types and options, but for start; their contexts may
 *                       be of different devices. Not into itself
 * Errors    HEDDLE_BAD_ARGUMENT: pieces that do not meet, another verb, operator, type, option, bins, a
 *           state of a scan (see options->prefix), inits that differ, or one alone has one, quantiles of other passes, first
 *           elements that both have from one position; nothing changes then. HEDDLE_BAD_DATA, as little: quantiles that have more than the passes before.
 *           HEDDLE_OUT_OF_MEMORY, HEDDLE_DEVICE_ERROR, HEDDLE_CALLBACK. Of a histogram only part of
 *           `from` may be there then: `into` is fit only for heddle_state_free
 * Order     any tree of merges has the same bits
 * Cost      O(log n) totals, and at most a chunk of elements; a histogram, quantiles: tables. On a GPU what is
 *           there goes to the host, and waits
 * Threads   both states are used by this thread alone meanwhile */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_state_merge(heddle_state *into,
                                                              heddle_state *from);

/* heddle_state_save - a state as bytes that any context of any machine loads
 *
 * Result    *bytes = how many, which are written to `to`; equal states have equal bytes
 * Arguments to     or NULL: only *bytes is wanted
 *           bytes  at first how many `to` has room for
 * Errors    HEDDLE_BAD_ARGUMENT: too little room, with *bytes set and nothing written; a state that failed or
 *           is for preparing; and as heddle_state_merge
 * Order     none
 * Cost      as heddle_state_merge. Little-endian, with a checksum; below 1 KiB and at most two chunks
 *           of elements; a histogram: its tables; quantiles: counters or kept keys, nothing when done;
 *           first elements: these, with their positions
 * Threads   as an update */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_state_save(heddle_state *state, void *to,
                                                             size_t *bytes);

/* heddle_state_load - the state that was saved
 *
 * Result    *out, of ctx, goes on as the one that was saved: more updates, merges, a result
 * Arguments from, bytes  what heddle_state_save wrote; may come from anyone: whatever it holds, nothing
 *                        is read beyond it, and no more is allocated than its tables take
 *           options      NULL, or the operator of HEDDLE_OP_CUSTOM in custom, with the element_bytes and
 *                        commutative that it had; its identity and code are not saved
 * Errors    HEDDLE_BAD_DATA: not the bytes of a state, cut, changed, of a version or order that this
 *           library does not have; HEDDLE_BAD_ARGUMENT; HEDDLE_OUT_OF_MEMORY, HEDDLE_DEVICE_ERROR
 * Order     none
 * Cost      as heddle_state_merge
 * Threads   any */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_state_load(heddle_context *ctx, const void *from,
                                                             size_t bytes,
                                                             const heddle_options *options,
                                                             heddle_state **out);

/* What a state is of. */
typedef struct heddle_state_details {
  size_t size; /* sizeof(heddle_state_details), set by the caller */
  heddle_verb
      verb; /* not of a histogram, which has bins, nor of quantiles, which have shares, nor of ranks and
                       first elements */
  heddle_op op; /* HEDDLE_MIN, HEDDLE_MAX of argreduce; HEDDLE_SUM of dot and describe */
  heddle_type type, acc_type, out_type; /* a histogram's, quantiles': type alone */
  int exact;                            /* a histogram's: its sums of weights */
  uint64_t start;                       /* of the first element */
  uint64_t count;                       /* elements that came */
  size_t bins, channels;                /* of a histogram, else 0 */
  heddle_type weights_type;             /* of a histogram, or of quantiles, with weights */
  size_t shares,
      passes;     /* of quantiles, else 0: shares; passes that are over. count is of this pass */
  uint64_t whole; /* of quantiles: elements of each pass that is over */
  int again;      /* of quantiles: 1 as long as passes are left */
  size_t first;   /* of first elements, else 0: how many are wanted */
  size_t ranks;   /* of elements of given ranks, else 0: how many. The rest as of quantiles */
} heddle_state_details;
#define HEDDLE_STATE_DETAILS_INIT                                                                 \
  {                                                                                               \
    sizeof(heddle_state_details), HEDDLE_REDUCE, HEDDLE_SUM, HEDDLE_TYPE_DEFAULT,                 \
        HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, 0, 0, 0, 0, 0, HEDDLE_TYPE_DEFAULT, 0, 0, 0, 0, \
        0, 0                                                                                      \
  }
/* heddle_state_info - what a state is of, and which part of its array came
 *
 * Result    *out; size stays as it is
 * Errors    HEDDLE_BAD_ARGUMENT: NULL, or a size that is none
 * Order     none
 * Cost      nanoseconds; nothing waits, no memory
 * Threads   as an update */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_state_info(const heddle_state *state,
                                                             heddle_state_details *out);

/* ---- arrays on several devices --------------------------------------------------------- */

/* One array whose parts lie on the devices of a group (heddle_open("cuda:0,1")), one after the other;
 * a part may be empty, and parts may lie on any device of the group, in any order, or on the host. */
typedef struct heddle_part {
  void *data; /* `in` is read, `out` written */
  size_t count;
} heddle_part;
typedef struct heddle_parts {
  size_t size;
  size_t parts;
  const heddle_part *part;
} heddle_parts;
#define HEDDLE_PARTS_INIT \
  { sizeof(heddle_parts), 0, NULL }

/* The plain calls on such arrays, on any context: a group's, a device's or a CPU's.
 *
 * Result    that of the plain call on the array in one place, to the bit; in host memory, but for `out`
 *           of scan, whose parts lie anywhere
 * Arguments parts  any cut. A dot's y, a scan's out and a histogram's weights (or NULL; options->weights
 *                  is not read) are cut as the first array is, and each part of theirs lies on the device
 *                  of its like, or on the host. A histogram is cut between whole groups of channels
 * Overlap   a part of `out` is its part of `in`, element on element, or overlaps none
 * Errors    as the plain call; HEDDLE_BAD_ARGUMENT: a part that is NULL, more elements than memory can
 *           hold, memory of a device that ctx is not on, arrays that are not cut alike;
 *           HEDDLE_UNSUPPORTED: while preparing
 * Order     that of the plain call: v1, whatever the cut
 * Cost      each device reads its own parts, all at once (scan: twice), and totals of a few KiB travel;
 *           of a chunk that several parts have elements of, those go by way of the host
 * Threads   any; one a device while the call runs. Scans of device memory may still run when it returns:
 *           heddle_sync waits for all devices */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_reduce_parts(heddle_context *ctx, heddle_op op,
                                                               heddle_type type,
                                                               const heddle_parts *in, void *out,
                                                               const heddle_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_argreduce_parts(
    heddle_context *ctx, heddle_extreme which, heddle_type type, const heddle_parts *in,
    void *value, uint64_t *index, const heddle_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_dot_parts(heddle_context *ctx, heddle_type type,
                                                            const heddle_parts *x,
                                                            const heddle_parts *y, void *out,
                                                            const heddle_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_describe_parts(heddle_context *ctx,
                                                                 heddle_type type,
                                                                 const heddle_parts *in,
                                                                 heddle_description *out,
                                                                 const heddle_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status
heddle_scan_parts(heddle_context *ctx, heddle_op op, heddle_scan_kind kind, heddle_type type,
                  const heddle_parts *in, const heddle_parts *out, const heddle_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status
heddle_histogram_parts(heddle_context *ctx, heddle_type type, const heddle_parts *in,
                       const heddle_parts *weights, const heddle_bins *bins, uint64_t *counts,
                       heddle_histogram_result *result, const heddle_histogram_options *options);

/* ---- runs of equal neighbours ---------------------------------------------------------- */

/* Here and below two elements are equal as heddle_argsort has it: integers by value, -0.0 and +0.0,
 * and all NaN with one another.
 *
 * heddle_runs - where an array's runs of equal neighbours begin
 *
 * Result    *runs = how many; keys_out[r] = the first element of run r, as it is; offsets[r] = where it
 *           begins, offsets[*runs] = count: with heddle_rows.offsets each run is a row. Of sorted
 *           data keys_out are its values, each once
 * Arguments in        count elements of `type`
 *           keys_out  room for count elements, or NULL: not wanted. Behind *runs nothing is written
 *           offsets   room for count + 1, or NULL: not wanted
 *           runs      on a GPU may be device memory: then nothing waits
 * Overlap   keys_out == in is allowed, any other overlap is not
 * Errors    HEDDLE_BAD_ARGUMENT, HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED leaves outputs undefined
 * Order     none: the result is one sequence
 * Cost      one read an element, one write a run
 * Threads   up to the context's, from about 256 Ki elements on */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_runs(heddle_context *ctx, heddle_type type,
                                                       const void *in, size_t count, void *keys_out,
                                                       uint64_t *offsets, uint64_t *runs);

/* heddle_reduce_by_key - every run of equal neighbouring keys folded into one
 *
 * Result    values_out[r] = heddle_reduce of the values whose keys are run r, to the bit; keys_out, runs
 *           as heddle_runs
 * Arguments keys        count elements of key_type
 *           values      count elements of type
 *           keys_out    room for count elements, or NULL: not wanted
 *           values_out  room for count elements of options->out_type
 * Overlap   keys_out == keys is allowed, any other overlap is not
 * Errors    those of heddle_reduce_rows and heddle_runs
 * Order     v1 in each run, or exact
 * Cost      one read of keys and values; exact, or on a GPU, 8 bytes an element of memory
 * Threads   up to the context's */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status
heddle_reduce_by_key(heddle_context *ctx, heddle_op op, heddle_type key_type, const void *keys,
                     heddle_type type, const void *values, size_t count, void *keys_out,
                     void *values_out, uint64_t *runs, const heddle_options *options);

/* heddle_scan_by_key - running totals that begin anew where the key changes
 *
 * Result    out[i] belongs to in[i]: heddle_scan of each run of equal neighbouring keys, to the bit
 * Arguments keys  count elements of key_type
 *           in    count elements of type
 *           out   count elements of options->out_type
 * Overlap   as heddle_scan of in and out; out and keys: none
 * Errors    those of heddle_scan_rows
 * Order     v1 in each run
 * Cost      one read of keys and values, one write; 8 bytes a run of memory, on a GPU an element
 * Threads   up to the context's */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status
heddle_scan_by_key(heddle_context *ctx, heddle_scan_kind kind, heddle_op op, heddle_type key_type,
                   const void *keys, heddle_type type, const void *in, size_t count, void *out,
                   const heddle_options *options);

/* ---- select ---------------------------------------------------------------------------- */

/* How an element of `of` is compared with `value`, as C compares: a NaN is unequal to all, and neither
 * less nor greater. */
typedef enum heddle_comparison {
  HEDDLE_NONZERO = 0, /* selected are elements other than zero, NaN too; value is not read */
  HEDDLE_EQUAL = 1,
  HEDDLE_NOT_EQUAL = 2,
  HEDDLE_LESS = 3,
  HEDDLE_LESS_EQUAL = 4,
  HEDDLE_GREATER = 5,
  HEDDLE_GREATER_EQUAL = 6,
  HEDDLE_PREDICATE = 7 /* selected is what `predicate` holds of; value is not read */
} heddle_comparison;

/* A test of the caller's own, of elements of any type, in two forms; an element is tested once or twice a
 * call, always with one answer: two answers are found out where they would not fit, as HEDDLE_CALLBACK.
 *
 * On a CPU
 *   test   holds[i] = other than 0 where x[i] is selected, for i < n
 * may be called from several threads at once, with parts of where->of. A status other than HEDDLE_OK
 * ends the call with HEDDLE_CALLBACK; outputs are undefined then.
 *
 * On a GPU cuda_source is needed, test is not used. It is either
 *   "EXPRESSION"  of x, an element of where->type (of f16 and bf16 its value as float):
 *                 "x > 3 && x < 5"
 * or CUDA C text that defines
 *   __device__ bool heddle_test(TYPE x)
 * and includes nothing. Multiplications and additions are not fused. Text that does not compile is
 * HEDDLE_BAD_ARGUMENT with the compiler's words, whose file is "custom test". */
typedef heddle_status heddle_test(unsigned char *holds, const void *x, size_t n, void *user);
typedef struct heddle_predicate {
  size_t size;
  heddle_test *test;       /* NULL: there is none for a CPU, which is HEDDLE_BAD_ARGUMENT there */
  void *user;              /* handed to it */
  const char *cuda_source; /* NULL: there is none for a GPU, the same */
} heddle_predicate;
#define HEDDLE_PREDICATE_INIT \
  { sizeof(heddle_predicate), NULL, NULL, NULL }

/* Which elements are selected: i, where of[i] compares so with *value. */
typedef struct heddle_where {
  size_t size;
  heddle_comparison comparison;
  heddle_type type; /* of an element of `of`; a mask is HEDDLE_U8 with HEDDLE_NONZERO */
  const void
      *of; /* as many elements as the call has; on a GPU device or host memory, as its arrays */
  const void *value; /* one element of `type`, in host memory; HEDDLE_NONZERO: NULL */
  const heddle_predicate *predicate; /* of HEDDLE_PREDICATE; not read otherwise */
} heddle_where;
#define HEDDLE_WHERE_INIT \
  { sizeof(heddle_where), HEDDLE_NONZERO, HEDDLE_U8, NULL, NULL, NULL }

/* heddle_select - the elements that are selected, in their order
 *
 * Result    out[0] .. out[*selected - 1] = the elements of in that `where` selects
 * Arguments in             count elements of element_bytes bytes each: 1, 2, 4, 8 or 16
 *           out            room for count elements; behind *selected nothing is written
 *           selected       on a GPU may be device memory: then nothing waits
 * Overlap   out == in is allowed, any other overlap is not; where->of == in is
 * Errors    HEDDLE_BAD_ARGUMENT, HEDDLE_OUT_OF_MEMORY; HEDDLE_CANCELLED leaves outputs undefined
 * Order     stable
 * Cost      one read an element, one write of those selected; heddle_partition reads `of` twice and
 *           takes 8 bytes of memory for each chunk
 * Threads   up to the context's, from about 256 Ki elements on */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_select(heddle_context *ctx,
                                                         const heddle_where *where,
                                                         size_t element_bytes, const void *in,
                                                         size_t count, void *out,
                                                         uint64_t *selected);

/* heddle_partition - the elements that are selected, then the others
 *
 * Result    out[0] .. out[*selected - 1] as heddle_select, out[*selected] .. out[count - 1] = the others,
 *           in their order
 * Overlap   none, but where->of == in
 * The rest  as heddle_select */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_partition(heddle_context *ctx,
                                                            const heddle_where *where,
                                                            size_t element_bytes, const void *in,
                                                            size_t count, void *out,
                                                            uint64_t *selected);

/* heddle_positions - where the elements are that are selected
 *
 * Result    index[0] < index[1] < .. < index[*selected - 1]: every i that `where` selects
 * Arguments index_type  HEDDLE_U32 or HEDDLE_U64; HEDDLE_U32 is HEDDLE_BAD_ARGUMENT where count is above
 *                       2^32
 *           index       room for count, or NULL: they are counted alone
 *           selected    as heddle_select
 * Overlap   none
 * The rest  as heddle_select */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_positions(heddle_context *ctx,
                                                            const heddle_where *where, size_t count,
                                                            heddle_type index_type, void *index,
                                                            uint64_t *selected);

/* ---- order statistics ------------------------------------------------------------------ */

/* heddle_nth - elements by their rank, without sorting
 *
 * Result    out[j] = the element that heddle_sort with these options would put at ranks[j], to the bit
 * Arguments in       count elements of `type`
 *           ranks    rank_count ranks below count, in any order, in host memory
 *           out      rank_count elements of `type`; on a GPU may be device memory: then nothing waits
 *           options  descending and nan_first alone are read
 * Overlap   none
 * Errors    HEDDLE_BAD_ARGUMENT (a rank that is not below count), HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED
 * Order     none: the result is one
 * Cost      one to three reads an element, by counting; a few ranks: 1/16 of the array of memory at most.
 *           Some 30 ranks apart, or more: a sort. A GPU: one read for up to eight ranks and for each of these a
 *           20th of the array of memory; a sort of short arrays, of rows, and for more than 64 ranks
 * Threads   up to the context's, from about 256 Ki elements on
 * Source    Alabi et al. 2012 (radix select); Floyd and Rivest 1975 (samples) */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_nth(heddle_context *ctx, heddle_type type,
                                                      const void *in, size_t count,
                                                      const uint64_t *ranks, size_t rank_count,
                                                      void *out,
                                                      const heddle_sort_options *options);

/* heddle_partial_sort - the first elements of the sorted array, and where they were
 *
 * Result    index[i], i < k: the first positions that heddle_argsort with these options gives; out[i]: the
 *           element at index[i], with its bits. heddle_sort may have -0.0 and +0.0, and NaN, in another order
 * Arguments in          count elements of `type`
 *           k           at most count
 *           out         k elements of `type`, or NULL: not wanted
 *           index_type  HEDDLE_U32 or HEDDLE_U64; not read where index is NULL
 *           index       k positions, or NULL: not wanted
 *           options     descending and nan_first alone are read: descending gives the greatest
 * Overlap   none
 * Errors    as heddle_nth
 * Order     stable
 * Cost      as heddle_nth, and a sort of k elements
 * Threads   as heddle_nth */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_partial_sort(heddle_context *ctx,
                                                               heddle_type type, const void *in,
                                                               size_t count, size_t k, void *out,
                                                               heddle_type index_type, void *index,
                                                               const heddle_sort_options *options);

/* Which value stands for a quantile that falls between two elements: the thirteen of NumPy, by its names,
 * the first nine those of Hyndman and Fan 1996. */
typedef enum heddle_quantile_method {
  HEDDLE_QUANTILE_LINEAR = 0, /* their 7 */
  HEDDLE_QUANTILE_INVERTED_CDF = 1,
  HEDDLE_QUANTILE_AVERAGED_INVERTED_CDF = 2,
  HEDDLE_QUANTILE_CLOSEST_OBSERVATION = 3,
  HEDDLE_QUANTILE_INTERPOLATED_INVERTED_CDF = 4,
  HEDDLE_QUANTILE_HAZEN = 5,
  HEDDLE_QUANTILE_WEIBULL = 6,
  HEDDLE_QUANTILE_MEDIAN_UNBIASED = 8,
  HEDDLE_QUANTILE_NORMAL_UNBIASED = 9,
  HEDDLE_QUANTILE_LOWER = 10,
  HEDDLE_QUANTILE_HIGHER = 11,
  HEDDLE_QUANTILE_MIDPOINT = 12,
  HEDDLE_QUANTILE_NEAREST = 13
} heddle_quantile_method;

/* Options of quantiles.
 *
 * nan      HEDDLE_NAN_PROPAGATE: with any NaN all results are NaN. HEDDLE_NAN_SKIP: they count as absent
 * weights  NULL, or a weight an element, of weights_type (HEDDLE_F32 or HEDDLE_F64), none negative or NaN:
 *          the quantile is the first element of a weight above 0, in the order of heddle_argsort, up
 *          to which the exact sum of weights reaches its share of the whole. With
 *          HEDDLE_QUANTILE_INVERTED_CDF alone */
typedef struct heddle_quantile_options {
  size_t size;
  heddle_quantile_method method;
  heddle_nan nan;
  heddle_type weights_type;
  const void *weights;
} heddle_quantile_options;
#define HEDDLE_QUANTILE_OPTIONS_INIT                                                           \
  {                                                                                            \
    sizeof(heddle_quantile_options), HEDDLE_QUANTILE_LINEAR, HEDDLE_NAN_PROPAGATE, HEDDLE_F64, \
        NULL                                                                                   \
  }

/* heddle_quantiles - the values below which given shares of the elements lie
 *
 * Result    out[j] = the quantile q[j], as a double: the elements of the ranks that the method names,
 *           converted, and between two of them a + (b - a) * t, from the nearer end, in f64: the bits of
 *           numpy.quantile. 64-bit integers are rounded once each before. Between a number and an
 *           infinity it is the infinity, between both NaN
 * Arguments in   count elements of `type`
 *           q    q_count shares, 0 to 1, in host memory; 0.5 is the median
 *           out  q_count doubles
 * Overlap   none
 * Errors    HEDDLE_BAD_ARGUMENT (a share outside of 0 to 1, a method that is none, weights with another
 *           method), HEDDLE_EMPTY (no element, or, skipping, none but NaN; weights whose sum is 0),
 *           HEDDLE_BAD_DATA (a negative weight, a NaN or infinite one), HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED.
 *           What a GPU finds in arrays of its own heddle_sync reports
 * Order     none: results are one, on every device
 * Cost      as heddle_nth; with weights a sort by heddle_sort_pairs
 * Threads   as heddle_nth */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_quantiles(heddle_context *ctx, heddle_type type,
                                                            const void *in, size_t count,
                                                            const double *q, size_t q_count,
                                                            double *out,
                                                            const heddle_quantile_options *options);

/* The same once a row: rank_count, k or q_count results a row, row after row. A row that has fewer than k
 * elements, or not one of the ranks, is HEDDLE_BAD_ARGUMENT; the quantiles of a row without elements
 * (skipping: without numbers; with weights: of a sum of 0) are NaN. Weights lie as the elements do: that of in[i] is
 * weights[i]. Index counts from the row's start.
 *
 * Overlap   none
 * Errors    as the plain call, and those of rows (heddle_reduce_rows). HEDDLE_OUT_OF_MEMORY may come when rows
 *           are done already: outputs are undefined
 * Order     none: results are one; of equal elements those with the least index come first
 * Cost      a sort of rows that fit a cache or a block, else as the plain call, row after row
 * Threads   rows are spread over the context's threads */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_nth_rows(heddle_context *ctx, heddle_type type,
                                                           const void *in, const heddle_rows *rows,
                                                           const uint64_t *ranks, size_t rank_count,
                                                           void *out,
                                                           const heddle_sort_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_partial_sort_rows(
    heddle_context *ctx, heddle_type type, const void *in, const heddle_rows *rows, size_t k,
    void *out, heddle_type index_type, void *index, const heddle_sort_options *options);
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_quantiles_rows(
    heddle_context *ctx, heddle_type type, const void *in, const heddle_rows *rows, const double *q,
    size_t q_count, double *out, const heddle_quantile_options *options);

/* ---- quantiles in pieces ---------------------------------------------------------------- */

/* Quantiles take all data several times: what one pass counts says which few values the next looks for. A
 * state is asked after each pass whether it needs another:
 *
 *     heddle_quantiles_begin(ctx, type, q, q_count, NULL, &state);
 *     for (int again = 1; again;) {
 *       for (each piece) heddle_quantiles_update(state, piece, count);
 *       heddle_quantiles_round(state, &again);
 *     }
 *     heddle_quantiles_finish(state, out);
 *
 * Pieces may be cut anew, and come in another order, in every pass. States of one pass merge in any order; where
 * several take a pass, all of them are merged before its round, and the next pass goes on in copies (saved and
 * loaded) of what that gave, or in states whose round came behind the same merge.
 *
 * heddle_quantiles_begin - a state of no elements
 *
 * Result    *out, to be ended by heddle_state_free
 * Arguments q        q_count shares, 0 to 1, in host memory, at most 65,536
 *           options  as of heddle_quantiles, without weights (heddle_weighted_quantiles_begin)
 * Errors    HEDDLE_BAD_ARGUMENT (those of heddle_quantiles, too many shares), HEDDLE_UNSUPPORTED (weights; a context
 *           that is being prepared), HEDDLE_OUT_OF_MEMORY
 * Order     none
 * Cost      microseconds. Memory of a state: 256 counters of 8 bytes for types of 1 byte, 512 KiB for those of 2 and
 *           4, 2 MiB for those of 8; in later passes 512 KiB (2 MiB) for each value looked for, 32 MiB at most
 * Threads   any */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status
heddle_quantiles_begin(heddle_context *ctx, heddle_type type, const double *q, size_t q_count,
                       const heddle_quantile_options *options, heddle_state **out);

/* heddle_quantiles_update - the next elements of the pass that is under way
 *
 * Arguments in  count elements of the state's type; host or device memory
 * Errors    HEDDLE_BAD_DATA: more elements come than the passes before had, or more between two values: the data
 *           are not the same. HEDDLE_BAD_ARGUMENT: no pass is left, more than 2^53 elements.
 *           HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED, HEDDLE_DEVICE_ERROR
 * Order     none
 * Cost      one read an element. On a GPU keys are counted by the calling thread: an array of the device's is
 *           copied to the host in pieces of 65,536 elements, and waits
 * Threads   as an update; on a CPU up to the context's */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_quantiles_update(heddle_state *state,
                                                                   const void *in, size_t count);

/* heddle_quantiles_round - ends a pass over all data
 *
 * Result    *again = 1: the state has begun another pass, and takes all data once more, the same elements in any
 *           order. 0: heddle_quantiles_finish gives the result. Types of 1 and 2 bytes take one pass; those of 4 bytes
 *           two, where up to 64 values are looked for; those of 8 bytes two as long as no more than 2^20 elements lie
 *           as close to the wanted ones as their first 18 bits tell (of spread f64 some 10^8 elements a median),
 *           else three, at most four of 64 values. A state that is done stays so
 * Errors    HEDDLE_BAD_DATA: the elements of this pass are not those of the passes before, as far as counts tell:
 *           all, NaN, between two values; the state is fit only for heddle_state_free then.
 *           HEDDLE_BAD_ARGUMENT, HEDDLE_OUT_OF_MEMORY
 * Order     none
 * Cost      a walk over the counters, or a sort of up to 2^20 keys that were kept
 * Threads   as an update */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_quantiles_round(heddle_state *state, int *again);

/* heddle_quantiles_finish - the quantiles of all elements
 *
 * Result    out[j] = the quantile q[j]: the bits of heddle_quantiles on all data. The state stays as it is
 * Arguments out  q_count doubles
 * Errors    HEDDLE_BAD_ARGUMENT: another pass is needed, or heddle_quantiles_round was not asked.
 *           HEDDLE_EMPTY: no element came, or, skipping, none but NaN. HEDDLE_OUT_OF_MEMORY, HEDDLE_DEVICE_ERROR
 * Order     none: results are one
 * Cost      nanoseconds a share
 * Threads   as an update
 * Source    Alabi et al. 2012 (radix select) */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_quantiles_finish(heddle_state *state,
                                                                   double *out);

/* heddle_weighted_quantiles_begin - a state of no elements, for quantiles by weights
 *
 * Result    *out, which takes its data, with their weights, by heddle_weighted_quantiles_update, once a pass; passes end
 *           by heddle_quantiles_round, and heddle_quantiles_finish gives the quantiles: of heddle_quantiles on all data
 *           with these weights, the element up to which their real sum reaches a share of the whole; of zeros +0.0. No cut
 *           into pieces, no order of these and no tree of merges changes a bit
 * Arguments q        q_count shares, 0 to 1, in host memory, at most 4,096
 *           options  as of heddle_quantiles: nan, and weights_type, HEDDLE_F32 or HEDDLE_F64; method has to be
 *                    HEDDLE_QUANTILE_INVERTED_CDF, weights are not read. NULL: that method, NaN propagate, HEDDLE_F64
 * Errors    HEDDLE_BAD_ARGUMENT (those of heddle_quantiles, too many shares), HEDDLE_UNSUPPORTED (a context that is
 *           being prepared), HEDDLE_OUT_OF_MEMORY
 * Order     none
 * Cost      microseconds. Memory of a state: 5 KiB a share, and when weights come 65,536 counters (256 for types of 1
 *           byte), of 4 bytes for each 32 bits from the least bit of a weight to that of the sum: 1.5 MiB where weights
 *           are of like size, 18 MiB at most; twice that in later passes for several shares
 * Threads   any */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_weighted_quantiles_begin(
    heddle_context *ctx, heddle_type type, const double *q, size_t q_count,
    const heddle_quantile_options *options, heddle_state **out);

/* heddle_weighted_quantiles_update - the next elements of the pass that is under way, and their weights
 *
 * Arguments in       count elements of the state's type; host or device memory
 *           weights  of weights_type, one an element; finite and not negative; host or device memory
 * Errors    HEDDLE_BAD_DATA: a negative weight, a NaN or infinite one; more elements than the passes before had.
 *           HEDDLE_BAD_ARGUMENT: no pass is left, more than 2^53 elements. HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED,
 *           HEDDLE_DEVICE_ERROR. heddle_quantiles_round finds that a pass was over other elements or weights than the
 *           ones before, as far as exact sums tell: HEDDLE_BAD_DATA
 * Order     none
 * Cost      one read an element and its weight, and additions of integers by the calling thread; device memory is copied
 *           to the host in pieces of 65,536 elements, and waits. Types of 1 and 2 bytes take one pass, those of 4 bytes
 *           two, of 8 bytes up to four; one more where more than two values are looked for
 * Threads   as an update */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_weighted_quantiles_update(heddle_state *state,
                                                                            const void *in,
                                                                            const void *weights,
                                                                            size_t count);

/* heddle_nth_begin - a state of no elements, for elements by their ranks
 *
 * Result    *out, which takes its data by heddle_quantiles_update and heddle_quantiles_round, pass by pass as one of
 *           quantiles; then heddle_nth_finish gives the elements
 * Arguments ranks    rank_count ranks from 0 on, in any order, in host memory, at most 65,536
 *           options  descending and nan_first alone are read
 * Errors    HEDDLE_BAD_ARGUMENT (too many ranks); heddle_quantiles_round says so of a rank that is not below the
 *           number of elements. The rest as heddle_quantiles_begin
 * The rest  as heddle_quantiles_begin */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_nth_begin(heddle_context *ctx, heddle_type type,
                                                            const uint64_t *ranks,
                                                            size_t rank_count,
                                                            const heddle_sort_options *options,
                                                            heddle_state **out);

/* heddle_nth_finish - the elements of these ranks
 *
 * Result    out[j] = the element that heddle_sort of all elements would put at ranks[j], to the bit. The state stays
 *           as it is
 * Arguments out  rank_count elements of the state's type
 * Errors    as heddle_quantiles_finish, but for HEDDLE_EMPTY
 * The rest  as heddle_quantiles_finish */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_nth_finish(heddle_state *state, void *out);

/* ---- first elements in pieces ----------------------------------------------------------- */

/* heddle_partial_sort_begin - a state of no elements, for the first of all in order
 *
 * Result    *out, to be ended by heddle_state_free. It takes its data once; states of pieces of one array merge in
 *           any order
 * Arguments k        how many first elements are wanted
 *           start    the position in the array of the piece's first element
 *           options  descending and nan_first alone are read: descending gives the greatest
 * Errors    HEDDLE_BAD_ARGUMENT (more than memory can hold), HEDDLE_UNSUPPORTED (a context that is being prepared),
 *           HEDDLE_OUT_OF_MEMORY
 * Order     none
 * Cost      microseconds. Memory of a state: of at most k elements and their positions, up to three times
 * Threads   any */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status
heddle_partial_sort_begin(heddle_context *ctx, heddle_type type, size_t k, uint64_t start,
                          const heddle_sort_options *options, heddle_state **out);

/* heddle_partial_sort_update - the next elements
 *
 * Arguments in  count elements of the state's type; host or device memory
 * Errors    HEDDLE_BAD_ARGUMENT: positions beyond 2^64 - 1. HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED, HEDDLE_DEVICE_ERROR
 * Order     none
 * Cost      as heddle_partial_sort of these elements, and a merge of k
 * Threads   as an update */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_partial_sort_update(heddle_state *state,
                                                                      const void *in, size_t count);

/* heddle_partial_sort_finish - the first elements of all, and where they were
 *
 * Result    *found = how many there are: k, or all elements if they are fewer; out[i], index[i], i < *found: what
 *           heddle_partial_sort gives of the whole array, to the bit. The state stays as it is
 * Arguments out         room for k elements, or NULL: not wanted
 *           index_type  HEDDLE_U32 or HEDDLE_U64; not read where index is NULL. HEDDLE_U32 is HEDDLE_BAD_ARGUMENT
 *                       where the last position is above 2^32 - 1
 *           index       room for k positions, or NULL: not wanted
 *           found       host memory
 * Errors    HEDDLE_BAD_ARGUMENT, HEDDLE_OUT_OF_MEMORY, HEDDLE_DEVICE_ERROR
 * Order     stable
 * Cost      a copy
 * Threads   as an update */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_partial_sort_finish(heddle_state *state,
                                                                      void *out,
                                                                      heddle_type index_type,
                                                                      void *index, size_t *found);

/* ---- search ---------------------------------------------------------------------------- */

typedef enum heddle_side { HEDDLE_LEFT = 0, HEDDLE_RIGHT = 1 } heddle_side;

/* heddle_search_sorted - where values would be put into a sorted array
 *
 * Result    index[i] = how many elements of `sorted` are below values[i] (HEDDLE_LEFT), or not above it
 *           (HEDDLE_RIGHT), in the order of heddle_argsort: a NaN is above all numbers
 * Arguments sorted      sorted_count elements of `type`, in order; not checked: else the result is some
 *                       number up to sorted_count
 *           values      count elements of `type`
 *           index_type  HEDDLE_U32 or HEDDLE_U64; HEDDLE_U32 is HEDDLE_BAD_ARGUMENT where sorted_count is
 *                       2^32 or more
 *           index       count positions
 * Overlap   none; values == sorted is allowed
 * Errors    HEDDLE_BAD_ARGUMENT, HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED
 * Order     none
 * Cost      one read and one write an element, and log2(sorted_count) steps in a table that fits a cache where
 *           it can
 * Threads   up to the context's */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_search_sorted(
    heddle_context *ctx, heddle_type type, const void *sorted, size_t sorted_count,
    const void *values, size_t count, heddle_side side, heddle_type index_type, void *index);

/* ---- groups ---------------------------------------------------------------------------- */

/* heddle_gather - elements by their positions
 *
 * Result    out[i] = in[index[i]]
 * Arguments element_bytes  of an element: 1 to 2^20, a row of a table as well
 *           in             in_count elements
 *           index_type     HEDDLE_I32, HEDDLE_U32, HEDDLE_I64 or HEDDLE_U64
 *           index          count positions
 *           out            count elements
 * Overlap   none
 * Errors    HEDDLE_BAD_DATA: a position that in does not have; outputs are undefined then.
 *           HEDDLE_BAD_ARGUMENT, HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED
 * Order     none
 * Cost      one read of index, one read and one write an element
 * Threads   up to the context's */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_gather(heddle_context *ctx, size_t element_bytes,
                                                         const void *in, size_t in_count,
                                                         heddle_type index_type, const void *index,
                                                         size_t count, void *out);

/* heddle_unique - the values of an array, each once
 *
 * Result    *found = how many; values_out in the order of heddle_sort, each with the bits of its first
 *           occurrence; counts[u] = how often value u is there, first[u] = the position of the first,
 *           inverse[i] = the u of in[i]
 * Arguments in          count elements of `type`
 *           values_out  room for count elements; what is behind *found of them is undefined
 *           counts, first  room for count each, or NULL: not wanted
 *           index_type  HEDDLE_U32 or HEDDLE_U64, of inverse; not read where it is NULL
 *           inverse     count positions, or NULL: not wanted
 *           found       on a GPU may be device memory
 * Overlap   none
 * Errors    as heddle_argsort
 * Order     none: the result is one
 * Cost      a sort, of pairs where first or inverse is wanted; memory as the sort's
 * Threads   up to the context's */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_unique(heddle_context *ctx, heddle_type type,
                                                         const void *in, size_t count,
                                                         void *values_out, uint64_t *counts,
                                                         uint64_t *first, heddle_type index_type,
                                                         void *inverse, uint64_t *found);

/* Rows of one or more arrays belong to groups by an id each. A handle holds their order, made once:
 * positions by group, in each group as they come, and where each group begins. */
typedef struct heddle_groups heddle_groups;

/* heddle_groups_make - the order of groups
 *
 * Result    *out, to be freed by heddle_groups_free before ctx is closed
 * Arguments id_type  HEDDLE_I32, HEDDLE_U32, HEDDLE_I64 or HEDDLE_U64
 *           ids      count ids, each below `groups`, in any order
 *           groups   how many groups there are; such without an id are empty
 * Errors    HEDDLE_BAD_DATA: an id that is negative or not below groups, named with its position; nothing
 *           is made. HEDDLE_BAD_ARGUMENT, HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED
 * Order     none
 * Cost      ids in order: one read. Else a stable sort of positions by as many bits as groups have.
 *           Memory: 4 bytes a row (from 2^32 rows on 8), none if ids are in order, 8 bytes a group; beyond
 *           some 8,000 groups twice as much a row again until the call returns
 * Threads   up to the context's */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_groups_make(heddle_context *ctx,
                                                              heddle_type id_type, const void *ids,
                                                              size_t count, size_t groups,
                                                              heddle_groups **out);
/* Ends a handle, by one thread while no call uses it; NULL is allowed. */
HEDDLE_API void heddle_groups_free(heddle_groups *groups);

/* What a handle holds; the arrays are its own, on a GPU device memory. */
typedef struct heddle_groups_details {
  size_t size;             /* sizeof(heddle_groups_details), set by the caller */
  size_t count, groups;    /* rows; groups */
  const uint64_t *offsets; /* groups + 1: with heddle_rows.offsets each group is a row of what
                              heddle_groups_gather gives */
  heddle_type index_type;  /* HEDDLE_U32 or HEDDLE_U64, of order */
  const void *order;       /* count positions; NULL: the ids were in order, and so is every array */
} heddle_groups_details;
#define HEDDLE_GROUPS_DETAILS_INIT \
  { sizeof(heddle_groups_details), 0, 0, NULL, HEDDLE_U32, NULL }
/* heddle_groups_info - what a handle holds
 *
 * Result    *out; size stays as it is. Its arrays live as long as the handle
 * Errors    HEDDLE_BAD_ARGUMENT: NULL, or a size that is none
 * Order     none
 * Cost      nanoseconds; nothing waits, no memory
 * Threads   any */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_groups_info(const heddle_groups *groups,
                                                              heddle_groups_details *out);

/* heddle_groups_gather - an array's rows, group after group
 *
 * Result    out[i] = in[order[i]]
 * Arguments row_bytes  of a row, 1 to 2^20
 *           in, out    count rows each
 * Overlap   none
 * Errors    HEDDLE_BAD_ARGUMENT, HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED
 * The rest  as heddle_gather */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_groups_gather(heddle_groups *groups,
                                                                size_t row_bytes, const void *in,
                                                                void *out);

/* heddle_groups_reduce - each group's rows folded into one, column by column
 *
 * Result    out[g * width + c] = heddle_reduce of in[i * width + c] of the rows i of group g in their
 *           order, to the bit; a group without rows gives what an empty row gives heddle_reduce_rows
 * Arguments op       any but HEDDLE_OP_CUSTOM
 *           in       count rows of `width` elements of `type`
 *           width    1 or more
 *           out      groups rows of `width` elements of options->out_type
 *           options  as of heddle_reduce_rows; exact: the real sum, whatever the order of rows
 * Overlap   none
 * Errors    those of heddle_reduce_rows
 * Order     v1 over each group's rows; exact: none
 * Cost      one read of order and of the rows, where they are. Memory: some hundred KiB a thread; of rows of
 *           one element in few and long groups, or of one group of MiB, the rows once
 * Threads   groups are spread over the context's threads */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_groups_reduce(heddle_groups *groups, heddle_op op,
                                                                heddle_type type, const void *in,
                                                                size_t width, void *out,
                                                                const heddle_options *options);

/* heddle_scatter_reduce - rows folded into those of a table that their ids name
 *
 * Result    as of heddle_groups_make and heddle_groups_reduce, to the bit, by one call
 * Arguments op, type, in, width, out, options  as of heddle_groups_reduce
 *           id_type, ids, count, groups        as of heddle_groups_make
 * Overlap   none
 * Errors    HEDDLE_BAD_DATA: an id that is negative or not below groups; nothing is written, but to device
 *           memory, which is undefined then (heddle_sync tells). The rest as of heddle_groups_reduce
 * Order     v1 over each group's rows; exact: none
 * Cost      rows of one element: on a GPU a stable sort of them by as many bits as groups have, and one read;
 *           ids in order: without the sort's. Else as of a handle that is used once. Nothing waits for arrays
 *           in device memory, so that graphs hold it. Memory: of a sort of pairs, for that long
 * Threads   as of heddle_groups_reduce */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status heddle_scatter_reduce(heddle_context *ctx, heddle_op op,
                                                                 heddle_type type, const void *in,
                                                                 size_t width, heddle_type id_type,
                                                                 const void *ids, size_t count,
                                                                 void *out, size_t groups,
                                                                 const heddle_options *options);

/* ---- histogram of several dimensions ------------------------------------------------------ */

/* Options of heddle_histogram_nd.
 *
 * strides  NULL: each column is dense. Else one an axis, in elements, of either sign or 0: element i of
 *          axis d is columns[d][i * strides[d]]; the columns of a `count` x `dims` matrix in C order begin at
 *          its first dims elements, and their strides are all `dims`
 * flow     1: an axis has bins->count + 2 slots, the first for what lies below its first edge, the last for
 *          what lies above its last edge and for NaN; all elements are counted. 0: an element that is in no
 *          bin on one axis is counted nowhere
 * weights  NULL, or one weight an element, dense, of weights_type (any type)
 * sums     where weights != NULL: doubles laid out as counts, the sum of the weights in a bin, by rule 14,
 *          rounded once to f64; NULL: not wanted
 * squares  the same of the weights' squares, each rounded to f64 before; of a Poisson count's weights, the
 *          variance of the sum
 * exact    1: each sum is the real one, rounded once (rule 15 in place of rule 14) */
typedef struct heddle_histogram_nd_options {
  size_t size;
  const ptrdiff_t *strides;
  int flow;
  const void *weights;
  heddle_type weights_type;
  double *sums, *squares;
  int exact;
} heddle_histogram_nd_options;
#define HEDDLE_HISTOGRAM_ND_OPTIONS_INIT \
  { sizeof(heddle_histogram_nd_options), NULL, 0, NULL, HEDDLE_TYPE_DEFAULT, NULL, NULL, 0 }

/* heddle_histogram_nd - how many points fall into each bin of a grid
 *
 * Result    counts[..] in C order, the last axis fastest: on each axis a point has the bin that
 *           heddle_histogram with the same bins gives its coordinate. results[d]: under, over and nan of
 *           all points on axis d, whatever they are on others; lo and hi of its edges; count: all points
 * Arguments type     of all coordinates
 *           dims     1 to 8
 *           columns  dims arrays of count elements each; options->strides for such as are not dense
 *           bins     dims of them, one after the other, all of one `size`
 *           counts   as many as the product of the axes' slots (bins->count, with flow two more), up to
 *                    2^28; set, not added to. NULL where only sums or squares of weights are wanted
 *           results  NULL, or dims results, each with its size set by the _INIT macro
 * Overlap   none, neither of outputs with inputs, weights or edges nor of two outputs; columns may overlap
 * Errors    HEDDLE_BAD_ARGUMENT (more slots than 2^28, bins as heddle_histogram refuses them, ...),
 *           HEDDLE_UNSUPPORTED (HEDDLE_BINS_INTEGER of floats; results that are device memory),
 *           HEDDLE_OUT_OF_MEMORY, HEDDLE_CANCELLED
 * Order     counts are exact; weighted sums by rule 14 or 15: the same bits on any number of threads. The
 *           exponent of rule 14 is that of the greatest finite weight; of squares, of its square, 1024
 *           where that is infinite
 * Cost      one read a coordinate, two with auto_range; a second of weights where their exponent has to be
 *           found; squares: all once more. Memory as heddle_histogram's, on a GPU 12 bytes a point besides
 * Threads   up to the context's
 * Source    docs/histogram.md */
HEDDLE_API HEDDLE_MUST_CHECK heddle_status
heddle_histogram_nd(heddle_context *ctx, heddle_type type, size_t dims, const void *const *columns,
                    size_t count, const heddle_bins *bins, uint64_t *counts,
                    heddle_histogram_result *results, const heddle_histogram_nd_options *options);

#ifdef __cplusplus
}
#endif
#endif
