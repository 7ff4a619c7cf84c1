/* dlpack.h - DLPack's structs: a tensor, one with an owner, and the table by which frameworks lend and make them
 *
 * Limits   version 1, whose minor versions add to the end
 * Source   dmlc.github.io/dlpack: the C API of DLPack 1.2 (DLTensor, DLManagedTensor, DLManagedTensorVersioned,
 *          DLPackExchangeAPI) */
#ifndef HEDDLE_PYTHON_DLPACK_H
#define HEDDLE_PYTHON_DLPACK_H

#include <stdint.h>

#include "python_abi.h"

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_ROCM_HOST = 11, DL_CUDA_MANAGED = 13 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BFLOAT = 4, DL_BOOL = 6 };
enum { DL_MAJOR = 1 };

struct dl_tensor { /* DLTensor */
  void *data;
  int32_t device_type, device_id;
  int32_t dims;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides; /* in elements; strides NULL: C order */
  uint64_t byte_offset;
};

struct dl_plain { /* DLManagedTensor */
  struct dl_tensor tensor;
  void *owner;
  void (*deleter)(struct dl_plain *);
};

struct dl_managed { /* DLManagedTensorVersioned */
  uint32_t major, minor;
  void *owner;
  void (*deleter)(struct dl_managed *);
  uint64_t flags;
  struct dl_tensor tensor;
};

typedef void dl_set_error(void *context, const char *kind, const char *message);

/* DLPackExchangeAPI. Every function gives 0, or another number with an exception set; `allocate` calls set_error
 * instead. They are called with the interpreter's lock. */
struct dl_table {
  uint32_t major, minor;
  const struct dl_table
      *earlier; /* of a lower version; of that one, too, only these fields are certain */
  /* New memory of a prototype's shape, type and device. */
  int (*allocate)(struct dl_tensor *prototype, struct dl_managed **out, void *context,
                  dl_set_error *set_error);
  /* An object's tensor, which is then the caller's; an object of a tensor, which is then the object's. */
  int (*export)(python_object *, struct dl_managed **out);
  int (*import)(struct dl_managed *taken, python_object **out);
  /* An object's tensor while the object stays as it is; NULL: there is no such function. */
  int (*look)(python_object *, struct dl_tensor *out);
  int (*stream)(int32_t device_type, int32_t device_id, void **out);
};

#endif
