/* Variables of the program by address: shared ones (thread-local storage) and __device__ ones.
 *
 * Method   the symbol table of the program's own file, read once; names are shortened to what the
 *          source says. The file is the program itself, but is checked like any input
 *          The compiler's guards of initialisers have empty names
 * Limits   a stripped program has no names, and no bounds between its variables
 */
#include "access.h"
#include "memory.h"
#include "runtime.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SYMBOLS = 16384, NAMES = 1 << 20 };

struct symbol {
  uintptr_t begin; /* shared: in the thread-local storage; else an address */
  size_t bytes;
  const char *name;
};

static struct table {
  struct symbol list[SYMBOLS];
  size_t count;
} shared, device, host;
static char names[NAMES];
static size_t names_used;
static bool tried, have;

bool ck_have_symbols(void) { return have; }

/* _ZZ4tilePfE4tile, _ZL5table, plain: the last name that the mangled one holds. */
static const char *short_name(const char *mangled, size_t *length) {
  *length = strlen(mangled);
  if (strncmp(mangled, "_Z", 2) != 0) return mangled;
  const char *best = mangled;
  size_t best_length = *length;
  for (const char *p = mangled + 2; *p;) {
    if (*p < '1' || *p > '9') {
      ++p;
      continue;
    }
    char *end;
    const unsigned long n = strtoul(p, &end, 10);
    if (n > strlen(end)) {
      p = end;
      continue;
    }
    best = end;
    best_length = n;
    p = end + n;
  }
  *length = best_length;
  return best;
}

static const char *keep_name(const char *mangled) {
  size_t length;
  const char *name = short_name(mangled, &length);
  if (length + 1 > NAMES - names_used) return "?";
  char *kept = names + names_used;
  memcpy(kept, name, length);
  kept[length] = 0;
  names_used += length + 1;
  return kept;
}

/* In the sections of the device; or an instance of a template or an inline variable, which g++ puts
 * elsewhere, whosever it is. Tables of classes are weak, too, but nobody's variables. */
static bool is_of_device(const Elf64_Sym *symbol, const char *name, uintptr_t begin) {
  if (rt_is_symbol((const void *)begin)) return true;
  const unsigned int binding = ELF64_ST_BIND(symbol->st_info);
  if (binding != STB_WEAK && binding != STB_GNU_UNIQUE) return false;
  return strncmp(name, "_ZT", 3) != 0 && strncmp(name, "_ZGV", 4) != 0 &&
         !rt_is_constant((const void *)begin);
}

static void add(const Elf64_Sym *symbol, const char *name) {
  const bool is_shared = ELF64_ST_TYPE(symbol->st_info) == STT_TLS;
  if (!is_shared && ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT) return;
  if (!symbol->st_size || (strstr(name, "simt_gap") && strncmp(name, "_ZGV", 4) != 0)) return;
  const uintptr_t begin = symbol->st_value + (is_shared ? 0 : ck_program_base());
  const bool ours = !is_shared && is_of_device(symbol, name, begin);
  struct table *table = is_shared ? &shared : ours ? &device : &host;
  if (table->count == SYMBOLS) return;
  const bool guard = !strncmp(name, "_ZGV", 4);
  table->list[table->count++] =
      (struct symbol){begin, symbol->st_size, guard ? "" : keep_name(name)};
}

static int by_begin(const void *a, const void *b) {
  const struct symbol *x = a, *y = b;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void read_table(const unsigned char *file, size_t size, const Elf64_Shdr *table,
                       const Elf64_Shdr *strings) {
  if (table->sh_offset > size || table->sh_size > size - table->sh_offset) return;
  if (strings->sh_offset > size || strings->sh_size > size - strings->sh_offset) return;
  if (!strings->sh_size || table->sh_offset % 8) return;
  const char *text = (const char *)file + strings->sh_offset;
  if (text[strings->sh_size - 1]) return;
  const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(file + table->sh_offset);
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; ++i)
    if (symbols[i].st_name < strings->sh_size) add(&symbols[i], text + symbols[i].st_name);
  have = true;
}

static void read_file(const unsigned char *file, size_t size) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)file;
  if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return;
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr)) return;
  if (head->e_shoff > size || head->e_shoff % 8) return;
  if (head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr)) return;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(file + head->e_shoff);
  for (size_t i = 0; i < head->e_shnum; ++i)
    if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < head->e_shnum)
      read_table(file, size, &sections[i], &sections[sections[i].sh_link]);
}

static void load(void) {
  struct stat status;
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  tried = true;
  if (file < 0) return;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    const size_t size = (size_t)status.st_size;
    void *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) {
      read_file(memory, size);
      munmap(memory, size);
    }
  }
  close(file);
  qsort(shared.list, shared.count, sizeof *shared.list, by_begin);
  qsort(device.list, device.count, sizeof *device.list, by_begin);
  qsort(host.list, host.count, sizeof *host.list, by_begin);
}

bool ck_symbol(uintptr_t address, bool is_shared, const char **name, uintptr_t *begin,
               size_t *bytes) {
  const struct table *table = is_shared ? &shared : &device;
  const uintptr_t base = is_shared ? ck_now.static_begin : 0, at = address - base;
  size_t low = 0, high = table->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (table->list[middle].begin <= at)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return false;
  const struct symbol *s = &table->list[low - 1];
  *name = s->name;
  *begin = base + s->begin;
  *bytes = s->bytes;
  return true;
}

/* Close behind a __device__ variable, and in no variable of the host. */
bool ck_is_behind_variables(uintptr_t address) {
  enum { CLOSE = 65536 };
  const char *name;
  uintptr_t begin;
  size_t bytes;
  if (!ck_symbol(address, false, &name, &begin, &bytes)) return false;
  if (address >= begin + bytes + CLOSE) return false;
  size_t low = 0, high = host.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (host.list[middle].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return !low || address >= host.list[low - 1].begin + host.list[low - 1].bytes;
}

/* All of a program's __device__ variables, with what lies between them. */
void ck_open_symbols(void) {
  if (!tried) load();
  if (ck_now.symbols_bytes || !device.count) return;
  const struct symbol *last = &device.list[device.count - 1];
  const uintptr_t begin = device.list[0].begin & ~(uintptr_t)3;
  const size_t bytes = last->begin + last->bytes - begin;
  void *memory = mmap(NULL, (bytes / 4 + 2) * sizeof(struct cell), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  ck_now.symbol_cells = memory;
  ck_now.symbols = begin;
  ck_now.symbols_bytes = bytes;
}
