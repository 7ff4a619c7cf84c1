/* tree.h - a tree of losers: which of many sorted sequences has what comes next
 *
 * Method  Every inner node keeps the loser of the match below it, so that a new entry of the winner's
 *         sequence plays one match a level. Among equal keys the earlier sequence wins: merging is stable.
 *         Matches are decided and swapped without a branch, unless ties are told by `before`.
 * Source  Knuth, The Art of Computer Programming 3, 5.4.1 */
#ifndef HEDDLE_CLI_COMMANDS_SORT_TREE_H
#define HEDDLE_CLI_COMMANDS_SORT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* rank: the sequence's number, and `ways` more when it has ended. */
struct tree_entry {
  uint64_t key, rank;
};

/* Whether the entry of sequence a comes before that of b, where their keys are equal; never the same
 * answer both ways round. */
typedef bool tree_before(const void *user, size_t a, size_t b);

struct tree {
  size_t ways;
  struct tree_entry *node; /* 2 * ways: the winner, losers, and entries while it is filled */
  tree_before *before;     /* NULL: the earlier sequence */
  const void *user;
};

static inline bool tree_less(const struct tree *t, struct tree_entry a, struct tree_entry b) {
  if (t->before && a.key == b.key && a.rank < t->ways && b.rank < t->ways)
    return t->before(t->user, (size_t)a.rank, (size_t)b.rank);
  return (a.key < b.key) | ((a.key == b.key) & (a.rank < b.rank));
}

/* node[ways + i] holds the entry of sequence i, for every i. */
static inline void tree_fill(struct tree *t) {
  struct tree_entry *const node = t->node;
  for (size_t n = t->ways - 1; n >= 1; n--)
    node[n] = node[2 * n + !tree_less(t, node[2 * n], node[2 * n + 1])];
  node[0] = node[1];
  for (size_t n = 1; n < t->ways; n++) /* winners become losers, from the top */
    node[n] = node[2 * n + (node[n].rank == node[2 * n].rank)];
}

/* The winner's sequence goes on with `entry`. */
static inline void tree_replace(struct tree *t, size_t sequence, struct tree_entry entry) {
  for (size_t n = (sequence + t->ways) / 2; n >= 1; n /= 2) {
    struct tree_entry *const other = &t->node[n];
    const uint64_t swap = 0 - (uint64_t)tree_less(t, *other, entry);
    const uint64_t key = (other->key ^ entry.key) & swap, rank = (other->rank ^ entry.rank) & swap;
    other->key ^= key;
    other->rank ^= rank;
    entry.key ^= key;
    entry.rank ^= rank;
  }
  t->node[0] = entry;
}

#endif
