/* hdf5.c - this program started again, which sends the dataset as .npy */
#include "hdf5.h"

#include <stdlib.h>
#include <string.h>

#include "child.h"

static bool allowed;

void hdf5_allow(void) { allowed = true; }

bool hdf5_has_magic(const unsigned char *bytes, size_t count) {
  return count >= 8 && memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) == 0;
}

static void release(void *child) { child_end(child); }

int hdf5_open(struct input *in, struct failure *why) {
  const char *const argv[] = {"/proc/self/exe", HDF5_CHILD, in->options.member, NULL};
  struct child *child = NULL;
  struct stream *data;
  int fd;
  uint64_t begin, bytes;
  if (!allowed)
    return fail(why, EXIT_DATA, "%s is an HDF5 file, which the command heddle alone reads",
                in->name);
  if (!stream_is_own_file(in->stream)) /* libhdf5 asks for the path behind a descriptor */
    return fail(
        why, EXIT_DATA,
        "%s is HDF5, which libhdf5 reads out of a file alone: put it in one, unpacked, with "
        "nothing in front",
        in->name);
  (void)stream_is_file(in->stream, &fd, &begin, &bytes);
  int status = child_start(argv, fd, in->name, &child, why);
  if (status == 0)
    status = stream_open_made(in->name, child_read_data, child, in->stream, &data, why);
  if (status != 0) {
    child_end(child);
    return -1;
  }
  stream_give(data, release, NULL);
  in->stream = data;
  in->format = INPUT_NPY;
  return in->options.two_passes ? stream_keep(data, why) : 0;
}
