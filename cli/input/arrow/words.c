/* words.c - columns whose values are places in a dictionary
 *
 * Method  Places are checked once a batch. Numbers are put where the batch has them; text stays where it is, and is
 *         looked up for each row. Several columns may have one dictionary: the first wanted one keeps it. */
#include <string.h>

#include "reader.h"

const struct arrow_values *arrow_words(const struct arrow_reader *r, const struct arrow_column *c) {
  for (size_t i = 0; i < r->table.columns; i++)
    if (r->table.column[i].wanted && r->column[i].dictionary && r->column[i].id == c->id)
      return &r->column[i].words;
  return &c->words;
}

size_t arrow_place(const struct arrow_column *c, size_t row) {
  uint64_t place = 0; /* a negative one becomes more than any dictionary has */
  const size_t size = heddle_type_size(c->index);
  memcpy(&place, c->values.main.data + row * size, size);
  return (size_t)place;
}

static int not_there(const struct arrow_reader *r, struct failure *why) {
  return arrow_damaged(r, "a place in a dictionary is not there", why);
}

/* The greatest of places that are all there. */
static size_t last_place(const struct arrow_column *c, size_t rows) {
  const unsigned char *const from = c->values.main.data;
  size_t last = 0;
  if (heddle_type_size(c->index) == sizeof(uint32_t)) {
    uint32_t most = 0; /* by itself, so that it is found many at a time */
    for (size_t i = 0; i < rows; i++) {
      uint32_t place;
      memcpy(&place, from + i * sizeof place, sizeof place);
      most = place > most ? place : most;
    }
    return most;
  }
  for (size_t i = 0; i < rows; i++) {
    const size_t place = arrow_place(c, i);
    last = place > last ? place : last;
  }
  return last;
}

int arrow_look_up(struct arrow_reader *r, size_t column, struct failure *why) {
  struct arrow_column *const c = &r->column[column];
  struct table_part *const part = &r->table.part[column];
  const struct arrow_values *const words = arrow_words(r, c);
  const struct arrow_values *const v = &c->values;
  const size_t size = c->layout == ARROW_PLAIN ? heddle_type_size(c->type) : 0;
  if (words->layout != c->layout || (size > 0 && words->type != c->type)) return not_there(r, why);
  if (size == 0 && v->all_valid && words->all_valid) {
    part->valid = NULL;
    return v->rows > 0 && last_place(c, v->rows) >= words->rows ? not_there(r, why) : 0;
  }
  if (arrow_reserve(r, &c->there, v->rows / 8 + 1, why) != 0) return -1;
  if (size > 0 && arrow_reserve(r, &c->spread, v->rows * size, why) != 0) return -1;
  memset(c->there.data, 0, v->rows / 8 + 1);
  bool missing = false;
  for (size_t i = 0; i < v->rows; i++) {
    bool there = v->all_valid || table_bit(v->valid.data, i);
    const size_t place = there ? arrow_place(c, i) : 0;
    if (there && place >= words->rows) return not_there(r, why);
    there = there && (words->all_valid || table_bit(words->valid.data, place));
    missing |= !there;
    if (there) c->there.data[i / 8] |= (unsigned char)(1u << i % 8);
    if (size > 0 && there) memcpy(c->spread.data + i * size, words->main.data + place * size, size);
    if (size > 0 && !there) memset(c->spread.data + i * size, 0, size);
  }
  part->valid = missing ? c->there.data : NULL;
  if (size > 0) part->values = c->spread.data;
  return 0;
}
