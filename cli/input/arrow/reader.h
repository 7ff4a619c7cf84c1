/* reader.h - what the files of this room share: the columns of a schema, and messages one by one */
#ifndef HEDDLE_CLI_INPUT_ARROW_READER_H
#define HEDDLE_CLI_INPUT_ARROW_READER_H

#include "flat.h"
#include "input/table/table.h"

/* How the values of a column lie in its buffers, the bitmap of what is there before them. */
enum arrow_layout {
  ARROW_NONE,     /* not read */
  ARROW_PLAIN,    /* elements */
  ARROW_BITS,     /* truth values */
  ARROW_TEXT,     /* offsets of 32 bits, characters */
  ARROW_TEXT_64,  /* offsets of 64 bits, characters */
  ARROW_TEXT_VIEW /* 16 bytes each, with the text or its place in one of several buffers */
};

/* A buffer in memory of its own. */
struct arrow_buffer {
  unsigned char *data;
  size_t bytes, room;
};

/* Values of one column, of a batch or a dictionary. */
struct arrow_values {
  enum arrow_layout layout;
  heddle_type type;
  size_t rows;
  bool all_valid;
  struct arrow_buffer valid, main, text;
  struct arrow_buffer *views; /* the characters of ARROW_TEXT_VIEW */
  size_t view_count;
};

struct arrow_column {
  enum arrow_layout layout; /* of the values; of a dictionary's, where there is one */
  heddle_type type;
  bool dictionary;
  int64_t id;          /* of the dictionary */
  heddle_type index;   /* type of the places in it */
  size_t node, buffer; /* of the first of its nodes and buffers in a batch */
  size_t view;         /* columns of views before it: their buffers are counted in each batch */
  struct arrow_values values;
  struct arrow_values words;  /* of the dictionary */
  struct arrow_buffer spread; /* numbers of the dictionary, put where the batch has them */
  struct arrow_buffer there;  /* bits: valid in the batch and in the dictionary */
};

struct arrow_reader {
  struct table table; /* the first */
  struct arrow_column *column;
  uint64_t limit;    /* bytes of messages; UINT64_MAX: up to their own end */
  uint64_t position; /* in the stream */
  bool file;         /* not a stream: a footer says where the messages are */
  unsigned char *footer;
  struct flat footer_flat;
  struct flat_vector blocks[2]; /* dictionaries, then batches */
  size_t block;                 /* the next of both together */
  unsigned char *metadata;
  size_t metadata_room, metadata_bytes;
  size_t views; /* columns of views, those within others counted */
  struct arrow_buffer packed;
};

/* footer.c, of a file: reads the footer, whose schema is *schema, and goes to the next message; *more is false behind
 * the last one. */
int arrow_read_footer(struct arrow_reader *r, struct flat_table *schema, struct failure *why);
int arrow_seek_block(struct arrow_reader *r, bool *more, struct failure *why);

/* message.c */
enum arrow_message { ARROW_END, ARROW_SCHEMA, ARROW_DICTIONARY, ARROW_BATCH, ARROW_OTHER };
struct arrow_header {
  enum arrow_message kind;
  struct flat flat; /* of the metadata, which stay until the next message */
  struct flat_table table;
  uint64_t body; /* bytes behind it */
};
int arrow_next_message(struct arrow_reader *r, struct arrow_header *header, struct failure *why);
/* Exactly these bytes of the stream, or a failure. */
int arrow_read(struct arrow_reader *r, void *to, size_t bytes, struct failure *why);
int arrow_skip(struct arrow_reader *r, uint64_t bytes, struct failure *why);
int arrow_damaged(const struct arrow_reader *r, const char *what, struct failure *why);

/* schema.c */
int arrow_take_schema(struct arrow_reader *r, struct flat *flat, const struct flat_table *schema,
                      struct failure *why);

/* batch.c. Of a record batch (the header's table or a dictionary's): the values of the wanted columns, or those of
 * one dictionary; the whole body is passed over. */
struct arrow_batch {
  struct flat *flat;
  struct flat_table table;
  uint64_t body;
};
int arrow_take_batch(struct arrow_reader *r, const struct arrow_batch *batch, struct failure *why);
int arrow_take_words(struct arrow_reader *r, const struct arrow_batch *batch, int64_t id,
                     struct failure *why);
void arrow_free_values(struct arrow_values *v);

/* words.c: after a batch, what its places in a dictionary mean. */
int arrow_look_up(struct arrow_reader *r, size_t column, struct failure *why);
/* The dictionary of c, which may be kept by another column. */
const struct arrow_values *arrow_words(const struct arrow_reader *r, const struct arrow_column *c);
/* The place that a row has in the dictionary. */
size_t arrow_place(const struct arrow_column *c, size_t row);

/* buffer.c: buffers of a body, read in the order in which they lie there. */
struct arrow_wanted {
  uint64_t offset, bytes;
  struct arrow_buffer *to;
};
/* Room for so many bytes; what was there stays. */
int arrow_reserve(const struct arrow_reader *r, struct arrow_buffer *buffer, size_t bytes,
                  struct failure *why);
enum arrow_codec { ARROW_UNPACKED, ARROW_LZ4, ARROW_ZSTD };
int arrow_read_buffers(struct arrow_reader *r, uint64_t body, struct arrow_wanted *wanted,
                       size_t count, enum arrow_codec codec, struct failure *why);

#endif
