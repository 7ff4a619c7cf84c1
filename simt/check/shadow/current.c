/* How the state of the current access follows the running lane.
 *
 * Method   what a lane's accesses need is looked up once a turn; a block's and a launch's part is
 *          set by who is notified of them
 */
#include "cells.h"

struct ck_current ck_current;

void ck_turn_to(const struct worker *me) { ck_turn(me); }

struct cell *ck_cells(uintptr_t address) {
  return ck_global_cell(address);
}
