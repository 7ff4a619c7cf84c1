/* Symbol tables of ELF files, sorted by address: shared variables (thread-local storage),
 * __device__ variables and the host's.
 *
 * Method   the symbol table of a module's own file, read when it is opened (that of the program
 *          before the first launch); names are shortened to what the source says. The file is the
 *          user's, and checked like any input. The compiler's guards of initialisers have empty
 *          names
 * Limits   a stripped module has no names, and no bounds between its variables
 */
#include "symbols.h"
#include "check.h"
#include "shadow/current.h"

#include "runtime.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct symbol {
  uintptr_t begin; /* shared: in the thread-local storage; else an address */
  size_t bytes;
  const char *name;
};

struct table {
  struct symbol *list;
  size_t count, room;
};

/* What is known of a module; it stands in the memory that it is about. */
struct variables {
  const struct simt_module *module;
  struct table shared, device, host;
  char *names;
  size_t names_used, names_room;
  uintptr_t begin; /* of the __device__ variables, with what lies between them */
  uintptr_t end;   /* of the last gap between them (rewrite/device/linkage.c); 0: there is none */
  size_t bytes, mapped;
  struct cell *cells; /* NULL: no launch yet */
};

static struct variables *all[SD_MODULES];
static struct variables *now; /* of the module whose kernel runs */

bool ck_have_symbols(void) { return now; }

/* ---- Reading --------------------------------------------------------------------------------- */

/* _ZZ4tilePfE4tile, _ZL5table, plain: the last name that the mangled one holds. */
static const char *short_name(const char *mangled, size_t *length) {
  *length = strlen(mangled);
  if (strncmp(mangled, "_Z", 2) != 0) return mangled;
  const char *best = mangled;
  size_t best_length = *length;
  for (const char *p = mangled + 2; *p;) {
    if (*p < '1' || *p > '9') {
      p++;
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

static const char *keep_name(struct variables *v, const char *mangled) {
  size_t length;
  const char *name = short_name(mangled, &length);
  if (length + 1 > v->names_room - v->names_used) return "?";
  char *kept = v->names + v->names_used;
  memcpy(kept, name, length);
  kept[length] = 0;
  v->names_used += length + 1;
  return kept;
}

/* In the sections of the device; or an instance of a template or an inline variable, which g++ puts
 * elsewhere, whosever it is. Tables of classes are weak, too, but nobody's variables. */
static bool is_of_device(const Elf64_Sym *symbol, const char *name, uintptr_t begin) {
  if (rt_is_symbol((const void *)begin)) return true;
  const unsigned binding = ELF64_ST_BIND(symbol->st_info);
  if (binding != STB_WEAK && binding != STB_GNU_UNIQUE) return false;
  return strncmp(name, "_ZT", 3) != 0 && strncmp(name, "_ZGV", 4) != 0 &&
         !rt_is_constant((const void *)begin);
}

static void add(struct variables *v, const Elf64_Sym *symbol, const char *name) {
  const bool is_shared = ELF64_ST_TYPE(symbol->st_info) == STT_TLS;
  if (!is_shared && ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT) return;
  if (!symbol->st_size) return;
  const uintptr_t begin = symbol->st_value + (is_shared ? 0 : v->module->base);
  if (strstr(name, "simt_gap") && strncmp(name, "_ZGV", 4) != 0) {
    if (!is_shared && begin + symbol->st_size > v->end) v->end = begin + symbol->st_size;
    return;
  }
  const bool ours = !is_shared && is_of_device(symbol, name, begin);
  struct table *table = is_shared ? &v->shared : ours ? &v->device : &v->host;
  if (table->count == table->room) return;
  const bool guard = !strncmp(name, "_ZGV", 4);
  table->list[table->count++] =
      (struct symbol){begin, symbol->st_size, guard ? "" : keep_name(v, name)};
}

static int by_begin(const void *a, const void *b) {
  const struct symbol *x = a, *y = b;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void sort(struct table *table) {
  qsort(table->list, table->count, sizeof *table->list, by_begin);
}

/* Room for so many symbols of each kind, and for their names. */
static struct variables *make(const struct simt_module *module, size_t count, size_t names) {
  const size_t list = count * sizeof(struct symbol);
  const size_t bytes = sizeof(struct variables) + 3 * list + names + count;
  unsigned char *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  struct variables *v = (struct variables *)(void *)memory;
  memory += sizeof *v;
  *v = (struct variables){.module = module, .names_room = names + count, .mapped = bytes};
  v->shared = (struct table){(struct symbol *)(void *)memory, 0, count};
  v->device = (struct table){(struct symbol *)(void *)(memory + list), 0, count};
  v->host = (struct table){(struct symbol *)(void *)(memory + 2 * list), 0, count};
  v->names = (char *)memory + 3 * list;
  return v;
}

static struct variables *read_table(const struct simt_module *module, const unsigned char *file,
                                    size_t size, const Elf64_Shdr *table,
                                    const Elf64_Shdr *strings) {
  if (table->sh_offset > size || table->sh_size > size - table->sh_offset) return NULL;
  if (strings->sh_offset > size || strings->sh_size > size - strings->sh_offset) return NULL;
  if (!strings->sh_size || table->sh_offset % 8) return NULL;
  const char *text = (const char *)file + strings->sh_offset;
  if (text[strings->sh_size - 1]) return NULL;
  const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(file + table->sh_offset);
  const size_t count = table->sh_size / sizeof *symbols;
  struct variables *v = make(module, count, strings->sh_size);
  for (size_t i = 0; v && i < count; i++)
    if (symbols[i].st_name < strings->sh_size) add(v, &symbols[i], text + symbols[i].st_name);
  return v;
}

static struct variables *read_file(const struct simt_module *module, const unsigned char *file,
                                   size_t size) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)file;
  if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return NULL;
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr)) return NULL;
  if (head->e_shoff > size || head->e_shoff % 8) return NULL;
  if (head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr)) return NULL;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(file + head->e_shoff);
  for (size_t i = 0; i < head->e_shnum; i++)
    if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < head->e_shnum)
      return read_table(module, file, size, &sections[i], &sections[sections[i].sh_link]);
  return NULL;
}

static struct variables *load(const struct simt_module *module, const char *path) {
  struct stat status;
  struct variables *v = NULL;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    const size_t size = (size_t)status.st_size;
    void *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) {
      v = read_file(module, memory, size);
      munmap(memory, size);
    }
  }
  close(file);
  if (!v) return NULL;
  sort(&v->shared);
  sort(&v->device);
  sort(&v->host);
  if (v->device.count) {
    const struct symbol *last = &v->device.list[v->device.count - 1];
    v->begin = v->device.list[0].begin & ~(uintptr_t)3;
    const uintptr_t end = last->begin + last->bytes;
    v->bytes = (v->end > end ? v->end : end) - v->begin;
  }
  return v;
}

/* ---- Modules --------------------------------------------------------------------------------- */

static size_t number_of(const struct simt_module *module) {
  size_t count;
  return (size_t)(module - sd_module_list(&count));
}

void ck_add_symbols(const struct simt_module *module) {
  all[number_of(module)] = load(module, module->path);
}

static void use(struct variables *v) {
  now = v;
  ck_current.symbols = v && v->cells ? v->begin : 0;
  ck_current.symbols_bytes = v && v->cells ? v->bytes : 0;
  ck_current.symbol_cells = v ? v->cells : NULL;
  ck_current.constants = ck_current.constant_bytes = 0;
  if (v && v->cells)
    rt_constants(v->module->base, v->module->end, &ck_current.constants,
                 &ck_current.constant_bytes);
}

static size_t cells_bytes(const struct variables *v) {
  return (v->bytes / 4 + 2) * sizeof(struct cell);
}

void ck_remove_symbols(const struct simt_module *module) {
  struct variables *v = all[number_of(module)];
  all[number_of(module)] = NULL;
  if (!v) return;
  if (now == v) use(NULL);
  if (v->cells) munmap(v->cells, cells_bytes(v));
  munmap(v, v->mapped);
}

/* That of the program is read late: its own code may register variables before main. */
void ck_open_symbols(const struct simt_module *module) {
  static bool tried;
  if (module == sd_module_program() && !tried) {
    tried = true;
    all[0] = load(module, "/proc/self/exe");
  }
  struct variables *v = all[number_of(module)];
  if (v && !v->cells && v->bytes) {
    void *memory = mmap(NULL, cells_bytes(v), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) v->cells = memory;
  }
  use(v);
}

void ck_each_symbols(void (*each)(uintptr_t begin, size_t bytes)) {
  struct variables *before = now;
  size_t count;
  sd_module_list(&count);
  for (size_t i = 0; i < count; i++) {
    if (!all[i] || !all[i]->cells) continue;
    use(all[i]);
    each(ck_current.symbols, ck_current.symbols_bytes);
  }
  use(before);
}

/* ---- Looking up ------------------------------------------------------------------------------ */

/* The last one that begins at or before `at`; NULL: none does. */
static const struct symbol *last_before(const struct table *table, uintptr_t at) {
  size_t low = 0, high = table->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (table->list[middle].begin <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &table->list[low - 1] : NULL;
}

/* The module that an address of a variable is in, or the running one. */
static const struct variables *variables_at(uintptr_t address) {
  const struct simt_module *module = sd_module_of((const void *)address);
  return module && all[number_of(module)] ? all[number_of(module)] : now;
}

bool ck_symbol(uintptr_t address, bool is_shared, const char **name, uintptr_t *begin,
               size_t *bytes) {
  const struct variables *v = is_shared ? now : variables_at(address);
  if (!v) return false;
  const uintptr_t base = is_shared ? ck_current.static_begin : 0;
  const struct symbol *s = last_before(is_shared ? &v->shared : &v->device, address - base);
  if (!s) return false;
  *name = s->name;
  *begin = base + s->begin;
  *bytes = s->bytes;
  return true;
}

bool ck_is_of_host(uintptr_t address) {
  const struct variables *v = variables_at(address);
  const struct symbol *host = v ? last_before(&v->host, address) : NULL;
  return host && address - host->begin < host->bytes;
}

/* Close behind a __device__ variable, and in no variable of the host. */
bool ck_is_behind_variables(uintptr_t address) {
  enum { CLOSE = 65536 };
  const char *name;
  uintptr_t begin;
  size_t bytes;
  if (!ck_symbol(address, false, &name, &begin, &bytes)) return false;
  if (address >= begin + bytes + CLOSE) return false;
  const struct symbol *host = last_before(&variables_at(address)->host, address);
  return !host || address >= host->begin + host->bytes;
}
