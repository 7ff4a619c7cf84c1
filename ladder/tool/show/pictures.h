/* pictures.h - heddle ladder pictures: what the rungs of that family draw, as PNG and APNG */
#ifndef LADDER_TOOL_SHOW_PICTURES_H
#define LADDER_TOOL_SHOW_PICTURES_H

#include <stdbool.h>
#include <stddef.h>

#include "run/run.h"

/* pictures_prepare - makes the folder, and gives each result a file for its frames */
void pictures_prepare(const char *folder, struct result *result, size_t count);

/* pictures_write - ripple.png, ripple_animation.png, tiles.png, tiles_broken.png and
 * tiles_side_by_side.png in the folder, as far as the rungs drew them; prints the paths to
 * `quiet` ? nothing : standard output. Returns how many could not be made. */
size_t pictures_write(const char *folder, struct result *result, size_t count, bool quiet);

/* picture_made - a PNG, animated where the rung draws more than one frame, in `folder`, removed at
 * exit; NULL if the rung draws nothing or drew nothing */
char *picture_made(const struct result *r, const char *folder);

#endif
