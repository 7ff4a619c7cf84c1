/* members.c - which member a call is for, and the group's hooks as the members' own
 *
 * Hooks are set on the group's context, by any thread between calls. Each call hands them on: memory comes
 * from the same allocator, since a group that holds memory refuses another. An executor of the caller's
 * runs members' work, who then have none beside. */
#include "group.h"

unsigned hd_group_owner(heddle_context *ctx, const void *pointer) {
  const struct hd_group *group = hd_group(ctx);
  for (unsigned m = 0; pointer && m < group->members; m++) {
    const int number = group->of->device_of(group->member[m], pointer);
    if (number >= 0) return m;
    if (number == -1) break; /* the host's: no member's */
  }
  return group->members;
}

unsigned hd_group_pick(heddle_context *ctx, size_t n, const void *const *pointer) {
  for (size_t i = 0; i < n; i++) {
    const unsigned owner = hd_group_owner(ctx, pointer[i]);
    if (owner < hd_group(ctx)->members) return owner;
  }
  return 0;
}

/* ---- hooks ----------------------------------------------------------------------------------- */

/* Only the thread of the call runs the callback, see hd_poll. */
static int poll_member(void *user) {
  struct hd_group_call *call = user;
  return hd_poll(&call->token);
}

static void run_alone(void *user, size_t count, heddle_task *task, void *arg) {
  (void)user;
  for (size_t i = 0; i < count; i++) task(arg, i);
}

void hd_group_enter(struct hd_group_call *call, heddle_context *ctx) {
  const struct hd_group *group = hd_group(ctx);
  pthread_mutex_lock(&ctx->lock);
  call->ctx = ctx;
  hd_cancellation_start(&call->token, ctx);
  for (unsigned m = 0; m < group->members; m++) {
    heddle_context *member = group->member[m];
    member->allocate = ctx->allocate;
    member->release = ctx->release;
    member->memory_user = ctx->memory_user;
    member->run = ctx->run ? run_alone : NULL;
    member->poll = ctx->poll ? poll_member : NULL;
    member->poll_user = call;
  }
}

heddle_context *hd_group_begin(struct hd_group_call *call, heddle_context *ctx, size_t n,
                               const void *const *pointer) {
  const unsigned m = hd_group_pick(ctx, n, pointer);
  hd_group_enter(call, ctx);
  return hd_group(ctx)->member[m];
}

heddle_status hd_group_leave(struct hd_group_call *call, heddle_status status) {
  const struct hd_group *group = hd_group(call->ctx);
  for (unsigned m = 0; m < group->members; m++) group->member[m]->poll = NULL;
  pthread_mutex_unlock(&call->ctx->lock);
  return status;
}
