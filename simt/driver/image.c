/* Checksums, and the build id of libsimt.so from its ELF note (image.h). */
#include "image.h"

#include "simt/abi.h"

#include <link.h>
#include <string.h>

uint64_t image_checksum(const void *data, size_t bytes) {
  const unsigned char *at = data;
  uint64_t hash = UINT64_C(0x9E3779B97F4A7C15) ^ bytes, word;
  for (; bytes >= 8; bytes -= 8, at += 8) {
    memcpy(&word, at, 8);
    hash = (hash ^ word) * UINT64_C(0xD6E8FEB86659FD93);
    hash ^= hash >> 32;
  }
  for (; bytes; bytes--, at++) hash = (hash ^ *at) * UINT64_C(0x100000001B3);
  return hash ^ hash >> 29;
}

/* The note that the linker has left in libsimt.so. */
struct build_note {
  uintptr_t inside;
  uint8_t *build;
};

static void read_notes(const unsigned char *at, size_t bytes, uint8_t build[IMAGE_BUILD]) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    memcpy(&head, at, sizeof head);
    const size_t name = (head.n_namesz + 3u) & ~3u, data = (head.n_descsz + 3u) & ~3u;
    if (sizeof head + name + data > bytes) return;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
        !memcmp(at + sizeof head, "GNU", 4)) {
      const size_t length = head.n_descsz < IMAGE_BUILD ? head.n_descsz : IMAGE_BUILD;
      memcpy(build, at + sizeof head + name, length);
    }
    at += sizeof head + name + data;
    bytes -= sizeof head + name + data;
  }
}

static int look(struct dl_phdr_info *info, size_t size, void *user) {
  const struct build_note *note = user;
  bool here = false;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    here |= h->p_type == PT_LOAD && note->inside - info->dlpi_addr - h->p_vaddr < h->p_memsz;
  }
  for (int i = 0; here && i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type == PT_NOTE)
      read_notes((const unsigned char *)info->dlpi_addr + h->p_vaddr, h->p_memsz, note->build);
  }
  return here;
}

void image_build(uint8_t build[IMAGE_BUILD]) {
  struct build_note note = {(uintptr_t)&simt_configure, build};
  memset(build, 0, IMAGE_BUILD);
  dl_iterate_phdr(look, &note);
}

static uint32_t head_sum(const struct image *head) {
  return (uint32_t)image_checksum(head, offsetof(struct image, head));
}

void image_fill(struct image *head, const void *object, size_t bytes, unsigned architecture,
                unsigned watch) {
  memset(head, 0, sizeof *head);
  memcpy(head->magic, IMAGE_MAGIC, sizeof IMAGE_MAGIC);
  head->bytes = bytes;
  head->checksum = image_checksum(object, bytes);
  head->architecture = architecture;
  head->watch = watch;
  image_build(head->build);
  head->head = head_sum(head);
}

bool image_head_ok(const struct image *head) {
  return !memcmp(head->magic, IMAGE_MAGIC, sizeof IMAGE_MAGIC) && head->head == head_sum(head);
}
