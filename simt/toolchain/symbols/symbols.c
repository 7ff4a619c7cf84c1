/* addr2line's answers, searched by address (symbols.h).
 *
 * Method   the addresses, sorted and each once, go to addr2line as a file of words, since a
 *          command line would be too short for them; its answers come in the same order, each
 *          begun by the address (-a). The answer's text is kept and frames point into it
 * Source   binutils: addr2line(1), "@file"
 */
#include "symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/process.h"
#include "base/string_list.h"
#include "base/text.h"
#include "function_name.h"

struct symbol {
  uint64_t pc;
  size_t first, count; /* its frames */
};

/* A file with code: the program, then what it loaded, at addresses behind the program's. */
struct object {
  char *path;
  uint64_t begin, end;
};

struct symbols {
  struct object *objects;
  size_t object_count, object_room;
  char *own;
  /* The current one, with a slash behind: as it is, and as $PWD has it, which the compiler
   * goes by. */
  char *folders[2];
  struct symbol *list;
  size_t count, room;
  struct frame *frames;
  size_t frame_count, frame_room;
  struct text *answers; /* one an object; frames point into them */
};

/* ---- The program's file ---------------------------------------------------------------------- */

static bool read_at(int fd, void *to, size_t bytes, uint64_t offset) {
  return offset < INT64_MAX && pread(fd, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* Where the last of its segments ends; 0: it is not a program. */
static uint64_t program_end(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return 0;
  Elf64_Ehdr header;
  uint64_t end = 0;
  if (read_at(fd, &header, sizeof header, 0) && !memcmp(header.e_ident, ELFMAG, SELFMAG) &&
      header.e_ident[EI_CLASS] == ELFCLASS64) {
    for (unsigned i = 0; i < header.e_phnum && i < 4096; i++) {
      Elf64_Phdr segment;
      if (!read_at(fd, &segment, sizeof segment, header.e_phoff + i * sizeof segment)) break;
      const uint64_t stop = segment.p_vaddr + segment.p_memsz;
      if (segment.p_type == PT_LOAD && stop > end) end = stop;
    }
  }
  close(fd);
  return end;
}

bool symbols_is_elf(const char *path) {
  char magic[SELFMAG];
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  const bool is = read_at(fd, magic, sizeof magic, 0) && !memcmp(magic, ELFMAG, SELFMAG);
  close(fd);
  return is;
}

void symbols_object(struct symbols *s, const char *path, uint64_t begin, uint64_t end) {
  s->objects = array_room(s->objects, s->object_count, &s->object_room, sizeof *s->objects);
  s->objects[s->object_count++] = (struct object){text_copy(path, strlen(path)), begin, end};
}

struct symbols *symbols_open(const char *program, const char *own) {
  struct symbols *s = text_allocate(sizeof *s);
  symbols_object(s, program, 0, program_end(program));
  s->own = text_copy(own, strlen(own));
  char *folder = getcwd(NULL, 0);
  const char *named = getenv("PWD");
  s->folders[0] = text_format("%s/", folder ? folder : "");
  s->folders[1] = text_format("%s/", named ? named : "");
  free(folder);
  return s;
}

void symbols_close(struct symbols *s) {
  if (!s) return;
  for (size_t i = 0; i < s->object_count; i++) {
    free(s->objects[i].path);
    if (s->answers) text_free(&s->answers[i]);
  }
  free(s->objects);
  free(s->answers);
  free(s->own);
  free(s->folders[0]);
  free(s->folders[1]);
  free(s->list);
  free(s->frames);
  free(s);
}

/* A return address may stand behind the last instruction. */
bool symbols_inside(const struct symbols *s, uint64_t pc) {
  for (size_t i = 0; i < s->object_count; i++)
    if (pc > s->objects[i].begin && pc <= s->objects[i].end) return true;
  return false;
}

void symbols_add(struct symbols *s, uint64_t pc) {
  if (!symbols_inside(s, pc)) return;
  s->list = array_room(s->list, s->count, &s->room, sizeof *s->list);
  s->list[s->count++] = (struct symbol){.pc = pc};
}

static int by_pc(const void *a, const void *b) {
  const struct symbol *x = a, *y = b;
  return (x->pc > y->pc) - (x->pc < y->pc);
}

static void sort_once(struct symbols *s) {
  if (!s->count) return;
  qsort(s->list, s->count, sizeof *s->list, by_pc);
  size_t kept = 1;
  for (size_t i = 1; i < s->count; i++) {
    if (s->list[i].pc != s->list[kept - 1].pc) s->list[kept++] = s->list[i];
  }
  s->count = kept;
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* Cuts the next line off `rest`; NULL at the end. */
static char *next_line(char **rest) {
  char *line = *rest;
  if (!line || !*line) return NULL;
  char *newline = strchr(line, '\n');
  if (newline) *newline = 0;
  *rest = newline ? newline + 1 : NULL;
  return line;
}

static bool begins_with(const char *text, const char *with) {
  return !strncmp(text, with, strlen(with));
}

static bool is_own(const struct symbols *s, const char *file) {
  const size_t length = strlen(s->own);
  return (length && begins_with(file, s->own) && file[length] == '/') ||
         strstr(file, "/heddle/include/") || begins_with(file, "/usr/include/") ||
         begins_with(file, "/usr/lib/") || begins_with(file, "<");
}

const char *symbols_relative(const struct symbols *s, const char *path) {
  for (size_t i = 0; i < 2; i++) {
    const size_t length = strlen(s->folders[i]);
    if (length > 1 && begins_with(path, s->folders[i]) && path[length]) path += length;
  }
  while (begins_with(path, "./") && path[2] && path[2] != '/') path += 2;
  return path;
}

/* "/tmp/a.cu:12 (discriminator 3)", "??:?" */
static void read_location(const struct symbols *s, char *text, struct frame *f) {
  char *end = strstr(text, " (discriminator ");
  if (end) *end = 0;
  char *colon = strrchr(text, ':');
  if (!colon) return;
  *colon = 0;
  const unsigned long line = strtoul(colon + 1, NULL, 10);
  f->line = line < 1000000000 ? (unsigned)line : 0;
  if (!strcmp(text, "??") || !*text) return;
  /* A text that was compiled at run time has its name below the root, where that was done. */
  f->file = begins_with(text, "//") ? text + 2 : symbols_relative(s, text);
  f->own = is_own(s, text);
}

static void add_frame(struct symbols *s, char *function, char *location) {
  struct frame f = {0};
  read_location(s, location, &f);
  if (strcmp(function, "??") && *function) {
    f.lambdas = symbols_clean(function);
    f.function = function;
  }
  s->frames = array_room(s->frames, s->frame_count, &s->frame_room, sizeof *s->frames);
  s->frames[s->frame_count++] = f;
}

/* The symbols from `first` to `end` are those of the object that begins at `base`. */
static void read_answer(struct symbols *s, const struct text *answer, uint64_t base, size_t first,
                        size_t end) {
  char *rest = answer->data, *line = next_line(&rest);
  for (size_t i = first; i < end && line; i++) {
    if (!begins_with(line, "0x") || strtoull(line, NULL, 16) != s->list[i].pc - 1 - base) return;
    s->list[i].first = s->frame_count;
    while ((line = next_line(&rest)) && !begins_with(line, "0x")) {
      char *location = next_line(&rest);
      if (location) add_frame(s, line, location);
    }
    s->list[i].count = s->frame_count - s->list[i].first;
    const struct frame *only = s->frames + s->list[i].first;
    if (s->list[i].count == 1 && !only->file && !only->function) s->list[i].count = 0;
  }
}

/* A file for the words of the command line, without a name. */
static int write_addresses(const struct symbols *s, uint64_t base, size_t first, size_t end) {
  const int fd = memfd_create("addresses", 0);
  FILE *out = fd < 0 ? NULL : fdopen(dup(fd), "w");
  if (!out) return -1;
  for (size_t i = first; i < end; i++)
    fprintf(out, "0x%llx\n", (unsigned long long)(s->list[i].pc - 1 - base));
  fclose(out);
  return fd;
}

static void explain(struct text *why, int error) {
  text_add_string(why, error == ENOENT
                           ? "addr2line is not installed, so places are addresses; it is in the "
                             "package binutils"
                           : "addr2line could not be run, so places are addresses");
}

static bool run_addr2line(struct symbols *s, const struct object *object, struct text *answer,
                          size_t first, size_t end, struct text *why) {
  const int fd = write_addresses(s, object->begin, first, end);
  if (fd < 0) {
    explain(why, errno);
    return false;
  }
  struct string_list w = {0};
  static const char *const command[] = {"addr2line", "-a", "-i", "-f", "-C", "-e"};
  for (size_t i = 0; i < sizeof command / sizeof *command; i++) string_list_add(&w, command[i]);
  string_list_add(&w, object->path);
  char *words = text_format("@/proc/self/fd/%d", fd);
  string_list_add(&w, words);
  free(words);
  struct text errors = {0};
  const int status = process_run(&w, answer, &errors);
  const int error = errno;
  string_list_free(&w);
  text_free(&errors);
  close(fd);
  if (status < 0) {
    explain(why, error);
    return false;
  }
  read_answer(s, answer, object->begin, first, end);
  return true;
}

bool symbols_resolve(struct symbols *s, struct text *why) {
  sort_once(s);
  s->answers = text_allocate(s->object_count * sizeof *s->answers);
  for (size_t i = 0; i < s->object_count; i++) {
    const struct object *o = &s->objects[i];
    size_t first = 0;
    while (first < s->count && s->list[first].pc <= o->begin) first++;
    size_t end = first;
    while (end < s->count && s->list[end].pc <= o->end) end++;
    if (first < end && !run_addr2line(s, o, &s->answers[i], first, end, why)) return false;
  }
  return true;
}

/* ---- Looking up ------------------------------------------------------------------------------ */

size_t symbols_find(const struct symbols *s, uint64_t pc, const struct frame **frames) {
  const struct symbol key = {.pc = pc};
  const struct symbol *found =
      s->count ? bsearch(&key, s->list, s->count, sizeof *s->list, by_pc) : NULL;
  *frames = found && found->count ? s->frames + found->first : NULL;
  return *frames ? found->count : 0;
}

const struct frame *symbols_location(const struct symbols *s, const uint64_t *pcs, size_t count) {
  const struct frame *innermost = NULL;
  for (size_t i = 0; i < count && pcs[i]; i++) {
    const struct frame *frames;
    const size_t n = symbols_find(s, pcs[i], &frames);
    for (size_t k = 0; k < n; k++) {
      if (!frames[k].file) continue;
      if (!frames[k].own) return &frames[k];
      if (!innermost) innermost = &frames[k];
    }
  }
  return innermost;
}
