/* Blocks, warps and lanes as the race rules see them. */
#ifndef SIMT_CHECK_BLOCKS_H
#define SIMT_CHECK_BLOCKS_H

struct grid;

void ck_begin_grid(struct grid *grid);
void ck_end_grid(struct grid *grid);
/* ck_blocks_forget - group numbers begin anew */
void ck_blocks_forget(void);

#endif
