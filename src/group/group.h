/* group.h - a context on several devices: its members, and which of them does what
 *
 * A member is a context of its own, on one device. Calls on the group hold its lock; members have theirs
 * besides, which nobody else takes. */
#ifndef HEDDLE_GROUP_GROUP_H
#define HEDDLE_GROUP_GROUP_H

#include "api/backend.h"
#include "parts/parts.h"

enum { HD_GROUP_MOST = 16 }; /* members */

struct hd_group {
  const struct hd_backend *of; /* the members' */
  unsigned members;
  heddle_context *member[HD_GROUP_MOST];
  int number[HD_GROUP_MOST]; /* of its device */
};

static inline struct hd_group *hd_group(heddle_context *ctx) { return ctx->data; }

/* ---- members.c ------------------------------------------------------------------------------- */

/* The member whose device's memory that is; members: none's. */
unsigned hd_group_owner(heddle_context *ctx, const void *pointer);
/* The owner of the first of n pointers that has one, else the first member. */
unsigned hd_group_pick(heddle_context *ctx, size_t n, const void *const *pointer);

/* A call under way: the group's lock is held, and members have its hooks. Theirs for polling ask the
 * group's on the calling thread alone; what it answered stops all. */
struct hd_group_call {
  heddle_context *ctx;
  struct hd_cancellation token;
};
void hd_group_enter(struct hd_group_call *call, heddle_context *ctx);
/* The same of a call by the member that hd_group_pick finds, which is returned. */
heddle_context *hd_group_begin(struct hd_group_call *call, heddle_context *ctx, size_t n,
                               const void *const *pointer);
heddle_status hd_group_leave(struct hd_group_call *call, heddle_status status);

/* ---- by one member ---------------------------------------------------------------------------- */

#define HD_COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* On device memory by its owner. */
#define HD_BY_OWNER(call, ctx, ...)                                          \
  hd_group_begin(&(call), ctx, HD_COUNT_OF(((const void *[]){__VA_ARGS__})), \
                 (const void *[]){__VA_ARGS__})

/* ---- spread.c -------------------------------------------------------------------------------- */

heddle_status hd_group_spread(heddle_context *ctx, size_t pieces, const void *const *where,
                              hd_piece_task *task, void *arg);

/* ---- share.c --------------------------------------------------------------------------------- */

struct hd_group_array {
  const void *x, *y; /* y, out: or NULL */
  void *out;
  size_t x_bytes, y_bytes, out_bytes; /* of an element */
  size_t count, channels;             /* neighbours that stay together; 0: 1 */
};

/* How many members so many elements of the host are worth. */
size_t hd_group_shares(heddle_context *ctx, u64 count, size_t element_bytes);
/* The array as a part a member; as one if it is small, or if it or any of n results is device memory. */
struct hd_parts hd_group_share(heddle_context *ctx, const struct hd_group_array *array, size_t n,
                               const void *const *results, struct hd_part part[HD_GROUP_MOST]);

/* ---- open.c ---------------------------------------------------------------------------------- */

/* HEDDLE_UNSUPPORTED, and what to do. */
heddle_status hd_group_one_device_only(heddle_context *ctx, const char *entry);

/* ---- calls.c, select.c, states.c, open.c: the entries of api/backend.h ----------------------- */

#define HD_GROUP_ENTRY(type, name, arguments) type hd_group_##name arguments;
HD_ENTRIES(HD_GROUP_ENTRY)
HD_PARTIAL_ENTRIES(HD_GROUP_ENTRY)
#undef HD_GROUP_ENTRY

#endif
