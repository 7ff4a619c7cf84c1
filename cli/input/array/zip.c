/* zip.c - a member of a zip file by its central directory
 *
 * Layout    Members, each behind a local header; the central directory, an entry a member; its end record, the
 *           last thing but for a comment of up to 65535 bytes; with zip64 a locator before it, which points to
 *           an end record of 64-bit numbers, and in entries an extra field for those that do not fit 32.
 * Method    The last 64 KiB are searched backwards for the end record, the directory is read whole, and only the
 *           chosen member's local header is looked at. Every number is checked against the file's size before it
 *           is used.
 * Limits    Stored and deflated members; no encryption, no archives of several disks. A directory of more than
 *           64 MiB is refused. The checksum of a stored member is not computed: its elements are mapped.
 * Source    PKWARE APPNOTE.TXT 6.3.10 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "little.h"
#include "names.h"

enum {
  END_BYTES = 22,
  LOCATOR_BYTES = 20,
  END64_BYTES = 56,
  ENTRY_BYTES = 46,
  LOCAL_BYTES = 30,
  TAIL_BYTES = END_BYTES + 65535 + LOCATOR_BYTES,
  DIRECTORY_MOST = 64 << 20,
  STORED = 0,
  DEFLATED = 8,
  ENCRYPTED = 1
};

struct directory {
  uint64_t offset, bytes;
};

struct entry {
  uint64_t packed, unpacked, local;
  uint32_t crc, method, flags;
  const char *name;
  size_t name_bytes;
};

bool zip_has_magic(const unsigned char *bytes, size_t count) {
  return count >= 4 && (memcmp(bytes, "PK\x03\x04", 4) == 0 || memcmp(bytes, "PK\x05\x06", 4) == 0);
}

static int damaged(const char *name, const char *what, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: the zip file is cut off or damaged: %s; get it again", name,
              what);
}

static uint64_t file_bytes(const struct stream *stream) {
  int fd;
  uint64_t begin, bytes;
  (void)stream_is_file(stream, &fd, &begin, &bytes);
  return bytes;
}

/* ---- the end record ------------------------------------------------------------------------ */

static int read_end64(const struct stream *stream, const unsigned char *locator,
                      struct directory *dir, struct failure *why) {
  unsigned char end[END64_BYTES];
  if (stream_at(stream, little_64(locator + 8), end, sizeof end, why) != 0) return -1;
  if (little_32(end) != 0x06064b50)
    return damaged(stream_name(stream), "its zip64 end record is none", why);
  dir->bytes = little_64(end + 40);
  dir->offset = little_64(end + 48);
  return 0;
}

static int find_directory(const struct stream *stream, struct directory *dir, struct failure *why) {
  const uint64_t bytes = file_bytes(stream);
  const size_t tail_bytes = bytes < TAIL_BYTES ? (size_t)bytes : TAIL_BYTES;
  unsigned char *const tail = malloc(tail_bytes + 1);
  if (!tail) return fail(why, EXIT_DATA, "%s: no memory to read it", stream_name(stream));
  int status = stream_at(stream, bytes - tail_bytes, tail, tail_bytes, why);
  size_t at = tail_bytes >= END_BYTES ? tail_bytes - END_BYTES + 1 : 0;
  bool found = false;
  while (status == 0 && at > 0 && !found) {
    const unsigned char *const end = tail + --at;
    found = little_32(end) == 0x06054b50 && at + END_BYTES + little_16(end + 20) == tail_bytes;
  }
  if (status == 0 && !found)
    status = damaged(stream_name(stream), "it has no directory at its end", why);
  if (status == 0) {
    dir->bytes = little_32(tail + at + 12);
    dir->offset = little_32(tail + at + 16);
    if (at >= LOCATOR_BYTES && little_32(tail + at - LOCATOR_BYTES) == 0x07064b50)
      status = read_end64(stream, tail + at - LOCATOR_BYTES, dir, why);
  }
  free(tail);
  if (status == 0 && dir->bytes > DIRECTORY_MOST)
    return fail(why, EXIT_DATA,
                "%s: its directory claims %llu bytes; more than 64 MiB are not read",
                stream_name(stream), (unsigned long long)dir->bytes);
  return status;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* The numbers that did not fit, in the order in which they stand in the entry. */
static bool read_extra64(const unsigned char *extra, size_t bytes, struct entry *entry) {
  uint64_t *const wide[] = {&entry->unpacked, &entry->packed, &entry->local};
  while (bytes >= 4) {
    const size_t size = little_16(extra + 2);
    if (size > bytes - 4) return false;
    if (little_16(extra) == 1) {
      size_t used = 0;
      for (size_t i = 0; i < 3; i++) {
        if (*wide[i] != UINT32_MAX) continue;
        if (size - used < 8) return false;
        *wide[i] = little_64(extra + 4 + used);
        used += 8;
      }
      return true;
    }
    extra += 4 + size;
    bytes -= 4 + size;
  }
  return true;
}

/* The entry at *at, which moves behind it. */
static bool read_entry(const unsigned char **at, const unsigned char *end, struct entry *entry) {
  const unsigned char *const p = *at;
  const size_t left = (size_t)(end - p);
  if (left < ENTRY_BYTES || little_32(p) != 0x02014b50) return false;
  const size_t name = little_16(p + 28), extra = little_16(p + 30), comment = little_16(p + 32);
  if (name + extra + comment > left - ENTRY_BYTES) return false;
  *entry = (struct entry){.flags = little_16(p + 8),
                          .method = little_16(p + 10),
                          .crc = little_32(p + 16),
                          .packed = little_32(p + 20),
                          .unpacked = little_32(p + 24),
                          .local = little_32(p + 42),
                          .name = (const char *)p + ENTRY_BYTES,
                          .name_bytes = name};
  *at = p + ENTRY_BYTES + name + extra + comment;
  return read_extra64(p + ENTRY_BYTES + name, extra, entry);
}

static int choose(const struct stream *stream, const unsigned char *directory, size_t bytes,
                  const char *member, struct entry *chosen, struct failure *why) {
  const unsigned char *at = directory, *const end = directory + bytes;
  struct names names;
  names_start(&names, member, ".npy");
  while (at < end) {
    struct entry entry;
    if (!read_entry(&at, end, &entry))
      return damaged(stream_name(stream), "an entry of its directory is none", why);
    const bool folder = entry.name_bytes > 0 && entry.name[entry.name_bytes - 1] == '/';
    if (!folder && names_add(&names, entry.name, entry.name_bytes)) *chosen = entry;
  }
  return names_check(&names, stream_name(stream), "member", "--member", why);
}

/* ---- the member ---------------------------------------------------------------------------- */

static int narrow(struct stream *stream, const struct entry *e, bool two_passes,
                  struct failure *why) {
  unsigned char local[LOCAL_BYTES];
  const char *const file = stream_name(stream);
  const int shown = (int)(e->name_bytes < 60 ? e->name_bytes : 60);
  if (e->flags & ENCRYPTED)
    return fail(why, EXIT_DATA,
                "%s: member '%.*s' is encrypted; unpack it: unzip -p FILE NAME | "
                "heddle ...",
                file, shown, e->name);
  if (e->method != STORED && e->method != DEFLATED)
    return fail(why, EXIT_DATA,
                "%s: member '%.*s' is packed by method %u; stored and deflated ones are read; "
                "unpack it: unzip -p FILE NAME | heddle ...",
                file, shown, e->name, (unsigned)e->method);
  if (e->method == STORED && e->packed != e->unpacked)
    return damaged(file, "a stored member has two sizes", why);
  if (stream_at(stream, e->local, local, sizeof local, why) != 0) return -1;
  if (little_32(local) != 0x04034b50) return damaged(file, "a member has no header", why);
  const uint64_t skip = LOCAL_BYTES + (uint64_t)little_16(local + 26) + little_16(local + 28);
  struct stream_part part = {.name = names_join(file, e->name, e->name_bytes),
                             .begin = e->local + skip, /* both were found within the file */
                             .bytes = e->packed,
                             .unpacked = e->unpacked,
                             .crc = e->crc,
                             .deflated = e->method == DEFLATED,
                             .two_passes = two_passes};
  if (!part.name) return fail(why, EXIT_DATA, "%s: no memory to read it", file);
  return stream_narrow(stream, &part, why);
}

int zip_narrow(struct stream *stream, const char *member, bool two_passes, struct failure *why) {
  struct directory dir = {0, 0};
  struct entry entry = {0};
  if (find_directory(stream, &dir, why) != 0) return -1;
  if (dir.offset > file_bytes(stream) || dir.bytes > file_bytes(stream) - dir.offset)
    return damaged(stream_name(stream), "its directory lies behind its end", why);
  unsigned char *const directory = malloc((size_t)dir.bytes + 1);
  if (!directory) return fail(why, EXIT_DATA, "%s: no memory to read it", stream_name(stream));
  int status = stream_at(stream, dir.offset, directory, (size_t)dir.bytes, why);
  if (status == 0) status = choose(stream, directory, (size_t)dir.bytes, member, &entry, why);
  if (status == 0) status = narrow(stream, &entry, two_passes, why);
  free(directory);
  return status;
}
