/* npy_fields.h - the fields of the records of a .npy array, out of its header's dictionary */
#ifndef HEDDLE_CLI_INPUT_TABLE_NPY_FIELDS_H
#define HEDDLE_CLI_INPUT_TABLE_NPY_FIELDS_H

#include "output/npy.h"
#include "table.h"

enum field_text { FIELD_NONE, FIELD_BYTES, FIELD_UCS4 }; /* of a field of text: padded with zeros */

struct npy_field {
  char *name;
  enum table_kind kind;
  heddle_type type;
  const char *what; /* it is not read: what it is */
  enum field_text text;
  bool swapped;
  size_t offset, bytes; /* in a record */
};

struct npy_fields {
  struct npy_field *field;
  size_t count, room;
  size_t record_bytes;
};

enum { NPY_COLUMNS_MOST = 1 << 16, NPY_RECORD_MOST = 16 << 20 };

/* Where the list of fields begins in a dictionary, or in what there is of it; NULL: there is none. */
const char *npy_fields_begin(const char *text, size_t bytes);
/* The fields, and header's shape, count and fortran; its type is u8, of one record an element. */
int npy_fields_read(const char *text, size_t bytes, const char *name, struct npy_fields *fields,
                    struct npy_header *header, struct failure *why);
/* Those of rows of `count` elements: 1, 2 and so on. */
int npy_fields_columns(const struct npy_header *header, const char *name, struct npy_fields *fields,
                       struct failure *why);
void npy_fields_free(struct npy_fields *fields);

#endif
