/* pictures.c - a table from rungs to names of files; a rung leaves its frames in a scratch file */
#include "pictures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "failure.h"
#include "frames.h"
#include "paths.h"

enum { FRAME_MS = 60, PICTURES = 3 };

/* Which rung draws what, by a part of its name. */
static const struct {
  const char *part, *still, *animation;
} drawings[PICTURES] = {{"ripple", "ripple.png", "ripple_animation.png"},
                        {"bug_tiles", "tiles_broken.png", NULL},
                        {"tiles", "tiles.png", NULL}};

static int drawing_of(const struct result *r) {
  for (int i = 0; i < PICTURES; i++)
    if (strstr(r->rung->name, drawings[i].part)) return i;
  return -1;
}

void pictures_prepare(const char *folder, struct result *result, size_t count) {
  make_folder(folder);
  if (access(folder, W_OK) != 0) fail("cannot write into %s: %s", folder, strerror(errno));
  for (size_t i = 0; i < count; i++)
    if (drawing_of(&result[i]) >= 0) {
      result[i].picture =
          text_format("%s/%s.frames.%ld", folder, result[i].rung->name, (long)getpid());
      remove_at_exit(result[i].picture);
    }
}

static void put(const char *folder, const char *name, const struct frames *f, bool animated,
                bool quiet) {
  char *path = text_format("%s/%s", folder, name);
  if (animated)
    apng_write(path, f, FRAME_MS);
  else
    png_write(path, f);
  if (!quiet && animated)
    printf("%s, %zu frames of %d x %d\n", path, f->count, f->width, f->height);
  if (!quiet && !animated) printf("%s, %d x %d\n", path, f->width, f->height);
  free(path);
}

char *picture_made(const struct result *r, const char *folder) {
  const int d = r->picture ? drawing_of(r) : -1;
  struct frames f;
  if (d < 0) return NULL;
  char *path = NULL;
  if (!frames_read(r->picture, &f)) {
    path = text_format("%s/%s.png", folder, r->rung->name);
    remove_at_exit(path);
    if (drawings[d].animation)
      apng_write(path, &f, FRAME_MS);
    else
      png_write(path, &f);
  }
  frames_free(&f);
  return path;
}

size_t pictures_write(const char *folder, struct result *result, size_t count, bool quiet) {
  struct frames all[PICTURES] = {{0}};
  size_t missing = 0;
  for (size_t i = 0; i < count; i++) {
    const int d = drawing_of(&result[i]);
    if (d < 0) continue;
    const char *wrong = frames_read(result[i].picture, &all[d]);
    if (wrong) {
      fprintf(stderr, "heddle ladder: %s drew nothing: %s\n", result[i].rung->name, wrong);
      missing++;
      frames_free(&all[d]);
      continue;
    }
    put(folder, drawings[d].still, &all[d], false, quiet);
    if (drawings[d].animation) put(folder, drawings[d].animation, &all[d], true, quiet);
  }
  if (all[1].count && all[2].count) {
    struct frames both;
    frames_beside(&all[2], &all[1], &both);
    put(folder, "tiles_side_by_side.png", &both, false, quiet);
    frames_free(&both);
  }
  for (int i = 0; i < PICTURES; i++) frames_free(&all[i]);
  return missing;
}
