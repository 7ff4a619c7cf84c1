/* export.c - what gives device memory back to its owner, whoever ends a capsule and when
 *
 * Result   a capsule that holds a reference to the memory's owner until its consumer is done, or
 *          until it is dropped unused
 * Method   Consumers drop capsules and tensors whenever they like: with an exception set, without
 *          the interpreter's lock, after the interpreter has ended. Python code could not run then,
 *          so that this part is in C.
 * Source   dmlc.github.io/dlpack: dlpack.h 1.0, and its specification for Python */
#include "export.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* A tensor of either kind, and what it points at. */
struct exported {
  union {
    struct dl_plain plain;
    struct dl_managed versioned;
  } as;
  int64_t shape[EXPORT_MOST_DIMS], strides[EXPORT_MOST_DIMS];
};

static const char plain_name[] = "dltensor", versioned_name[] = "dltensor_versioned";

static python_object *(*new_capsule)(void *, const char *, void (*)(python_object *));
static void *(*capsule_pointer)(python_object *, const char *);
static int (*capsule_is)(python_object *, const char *);
static void (*no_memory)(void);
static int (*is_running)(void);

/* ISO C has no conversion from what dlsym gives to a function; POSIX makes them alike. */
static bool find(void *function, const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

int heddle_py_export_start(void) {
  return python_abi_load() && find(&new_capsule, "PyCapsule_New") &&
         find(&capsule_pointer, "PyCapsule_GetPointer") && find(&capsule_is, "PyCapsule_IsValid") &&
         find(&no_memory, "PyErr_NoMemory") && find(&is_running, "Py_IsInitialized");
}

/* The owner's own end may run Python code, which an exception on its way would disturb. */
static void end(void *owner, void *exported) {
  python_object *type, *value, *trace;
  free(exported);
  if (!is_running()) return;
  const int lock = python.ensure_thread();
  python.take_error(&type, &value, &trace);
  python.drop(owner);
  python.set_error(type, value, trace);
  python.release_thread(lock);
}

static void end_plain(struct dl_plain *tensor) { end(tensor->owner, tensor); }
static void end_versioned(struct dl_managed *tensor) { end(tensor->owner, tensor); }

/* A consumer that took the tensor has given the capsule another name. */
static void end_unused(python_object *capsule) {
  if (capsule_is(capsule, plain_name)) end_plain(capsule_pointer(capsule, plain_name));
  if (capsule_is(capsule, versioned_name)) end_versioned(capsule_pointer(capsule, versioned_name));
}

python_object *heddle_py_export(python_object *owner, const struct dl_tensor *from, int versioned,
                                uint64_t flags) {
  struct exported *made = calloc(1, sizeof *made);
  if (!made) {
    no_memory();
    return NULL;
  }
  const size_t bytes = (size_t)from->dims * sizeof *made->shape;
  struct dl_tensor tensor = *from;
  if (bytes) {
    memcpy(made->shape, from->shape, bytes);
    memcpy(made->strides, from->strides, bytes);
  }
  tensor.shape = made->shape;
  tensor.strides = made->strides;
  if (versioned)
    made->as.versioned = (struct dl_managed){.major = DL_MAJOR,
                                             .owner = owner,
                                             .deleter = end_versioned,
                                             .flags = flags,
                                             .tensor = tensor};
  else
    made->as.plain = (struct dl_plain){.tensor = tensor, .owner = owner, .deleter = end_plain};
  python.keep(owner);
  python_object *capsule = new_capsule(made, versioned ? versioned_name : plain_name, end_unused);
  if (!capsule) end(owner, made);
  return capsule;
}
