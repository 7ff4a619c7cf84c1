/* User objects: what a program wants to be told of when no graph needs it any more.
 *
 * Method   an object counts its references; those that graphs hold are noted by graph, and an
 *          executable graph has as many as the graph that it was made of
 * Source   CUDA Driver API 13.0, section Graph Management
 */
#include "entry.h"

#include <limits.h>
#include <stdlib.h>

struct user_object {
  unsigned references;
  CUhostFn destroy;
  void *user;
};

struct held {
  struct held *next;
  const void *holder; /* a graph, or an executable one */
  struct user_object *object;
  unsigned count;
};

static struct held *all;

static CUresult take(struct user_object *o, unsigned count) {
  if (!count || count > INT_MAX - o->references) return CUDA_ERROR_INVALID_VALUE;
  o->references += count;
  return CUDA_SUCCESS;
}

/* The program's function may wait for another thread, which may be in a call. */
static CUresult give_up(struct user_object *o, unsigned count) {
  if (!count || count > o->references) return CUDA_ERROR_INVALID_VALUE;
  o->references -= count;
  if (o->references) return CUDA_SUCCESS;
  const struct user_object last = *o;
  object_remove(o, OBJECT_USER);
  free(o);
  api_unlock();
  last.destroy(last.user);
  api_lock();
  return CUDA_SUCCESS;
}

static struct held **find(const void *holder, const struct user_object *object) {
  struct held **at = &all;
  while (*at && ((*at)->holder != holder || (object && (*at)->object != object))) at = &(*at)->next;
  return at;
}

/* References that are counted already become the holder's. */
static bool note(const void *holder, struct user_object *object, unsigned count) {
  struct held *h = *find(holder, object);
  if (!h) {
    h = calloc(1, sizeof *h);
    if (!h) return false;
    *h = (struct held){.next = all, .holder = holder, .object = object};
    all = h;
  }
  h->count += count;
  return true;
}

void user_objects_drop(const void *holder) {
  for (struct held **at = find(holder, NULL); *at; at = find(holder, NULL)) {
    struct held *gone = *at;
    const struct held was = *gone;
    *at = gone->next;
    free(gone);
    give_up(was.object, was.count);
  }
}

bool user_objects_copy(const void *from, const void *to) {
  bool fine = true;
  for (const struct held *h = all; h && fine; h = h->next) {
    if (h->holder != from) continue;
    fine = !take(h->object, h->count);
    if (fine && !note(to, h->object, h->count)) {
      h->object->references -= h->count; /* the other holder's are left */
      fine = false;
    }
  }
  if (!fine) user_objects_drop(to);
  return fine;
}

/* ---- Entries --------------------------------------------------------------------------------- */

API_EXPORT CUresult cuUserObjectCreate(CUuserObject *out, void *user, CUhostFn destroy,
                                       unsigned references, unsigned flags) {
  enum { NO_DESTRUCTOR_SYNC = 1 };
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!out || !destroy || !references || references > INT_MAX || flags != NO_DESTRUCTOR_SYNC)
    return api_leave(CUDA_ERROR_INVALID_VALUE);
  struct user_object *o = calloc(1, sizeof *o);
  if (!o || !object_add_free(o, OBJECT_USER)) {
    free(o);
    return api_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  *o = (struct user_object){references, destroy, user};
  *out = o;
  return api_leave(CUDA_SUCCESS);
}

static CUresult enter(const char *name, CUuserObject object) {
  const CUresult refused = api_enter(name, API_INITIALISED);
  if (refused) return refused;
  return object_find(object, OBJECT_USER) ? CUDA_SUCCESS : api_leave(CUDA_ERROR_INVALID_VALUE);
}

API_EXPORT CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  const CUresult refused = enter(__func__, object);
  return refused ? refused : api_leave(take(object, count));
}

API_EXPORT CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  const CUresult refused = enter(__func__, object);
  return refused ? refused : api_leave(give_up(object, count));
}

API_EXPORT CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                            unsigned flags) {
  enum { MOVE = 1 }; /* the caller's become the graph's */
  const CUresult refused = enter(__func__, object);
  if (refused) return refused;
  if (!object_find(graph, OBJECT_GRAPH) || flags > MOVE) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (flags == MOVE && (!count || count > object->references))
    return api_leave(CUDA_ERROR_INVALID_VALUE);
  const CUresult result = flags == MOVE ? CUDA_SUCCESS : take(object, count);
  if (result) return api_leave(result);
  if (note(graph, object, count)) return api_leave(CUDA_SUCCESS);
  if (flags != MOVE) object->references -= count;
  return api_leave(CUDA_ERROR_OUT_OF_MEMORY);
}

API_EXPORT CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  const CUresult refused = enter(__func__, object);
  if (refused) return refused;
  struct held **at = find(graph, object), *h = *at;
  if (!h || !count || count > h->count) return api_leave(CUDA_ERROR_INVALID_VALUE);
  h->count -= count;
  if (!h->count) {
    *at = h->next;
    free(h);
  }
  return api_leave(give_up(object, count));
}
