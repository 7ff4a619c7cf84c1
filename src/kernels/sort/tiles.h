/* tiles.h - where the elements of a tile are: rows are cut into tiles, of which each is of one row
 *
 * Result   tile_find  tile t of a sort
 * Defines  HEDDLE_THREADS, HEDDLE_ITEMS: elements of a thread; HEDDLE_SEGMENTS 1: rows are in a.longs
 * Limits   a row has less than 2^30 elements, unless HEDDLE_WIDE is 1 */
#ifndef HEDDLE_KERNELS_SORT_TILES_H
#define HEDDLE_KERNELS_SORT_TILES_H

#include "key.h"

#define SORT_TILE ((u32)(HEDDLE_THREADS * HEDDLE_ITEMS))

/* A number of elements of a row. */
#if HEDDLE_WIDE
typedef u64 sort_count;
#else
typedef u32 sort_count;
#endif

struct sort_tile {
  u64 start;         /* of the row */
  sort_count before; /* elements of the row before the tile */
  u32 count;
  u32 row;
  u32 number, first; /* of the tile; of the row's first one */
};

HD_DEVICE struct sort_tile tile_find(const struct sort_args *a, u32 t) {
  struct sort_tile tile;
  u64 length = a->length;
  tile.number = t;
#if HEDDLE_SEGMENTS
  tile.row = ((const u32 *)a->owners)[t];
  const struct sort_long *row = (const struct sort_long *)a->longs + tile.row;
  tile.start = row->start;
  tile.first = (u32)row->tile;
  length = row->count;
#else
  tile.row = t / a->row_tiles;
  tile.start = tile.row * length;
  tile.first = tile.row * a->row_tiles;
#endif
  tile.before = (sort_count)(t - tile.first) * SORT_TILE;
  const u64 left = length - tile.before;
  tile.count = left < SORT_TILE ? (u32)left : SORT_TILE;
  return tile;
}

/* The counts of a row's digits. */
HD_DEVICE sort_count *tile_counts(const struct sort_args *a, u32 row, u32 digit) {
  return (sort_count *)a->counts + ((u64)row * a->digits + digit) * SORT_BINS;
}

#endif
