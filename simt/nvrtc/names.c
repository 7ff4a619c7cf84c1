/* Lowered names: what an expression of the program's is called in the object.
 *
 * Method   the text gets a variable for each expression that holds its address; in the object the
 *          variable's relocation leads to the symbol at that address
 * Limits   the object is our own, yet every offset in it is checked
 */
#include "nvrtc.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

void nvrtc_names_add(const struct program *p, struct text *text) {
  for (size_t i = 0; i < p->expressions.count; i++) {
    const char *expression = p->expressions.all[i];
    text_add_format(text, "# 1 \"<name expression>\"\n");
    if (*expression == '&') expression++;
    text_add_format(text,
                    "static simt::named simt_named_%zu(&(%s), \"kernel\");\n"
                    "extern \"C\" { __attribute__((used, visibility(\"default\"))) extern const "
                    "void *const simt_name_%zu = (const void *)&(%s); }\n",
                    i, expression, i, expression);
  }
}

struct object {
  const char *data;
  size_t bytes;
  const Elf64_Shdr *sections;
  size_t count;
};

static bool is_inside(const struct object *o, uint64_t offset, uint64_t bytes) {
  return offset <= o->bytes && bytes <= o->bytes - offset;
}

static bool open_object(struct object *o) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)o->data;
  if (o->bytes < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff % 8) return false;
  if (!is_inside(o, head->e_shoff, head->e_shnum * sizeof(Elf64_Shdr))) return false;
  o->sections = (const Elf64_Shdr *)(const void *)(o->data + head->e_shoff);
  o->count = head->e_shnum;
  for (size_t i = 0; i < o->count; i++)
    if (o->sections[i].sh_type != SHT_NOBITS &&
        !is_inside(o, o->sections[i].sh_offset, o->sections[i].sh_size))
      return false;
  return true;
}

/* The dynamic symbols and their names; false: there are none. */
static bool find_symbols(const struct object *o, const Elf64_Sym **list, size_t *count,
                         const char **names, size_t *names_bytes) {
  for (size_t i = 0; i < o->count; i++) {
    const Elf64_Shdr *s = &o->sections[i];
    if (s->sh_type != SHT_DYNSYM || s->sh_link >= o->count) continue;
    const Elf64_Shdr *strings = &o->sections[s->sh_link];
    *list = (const Elf64_Sym *)(const void *)(o->data + s->sh_offset);
    *count = s->sh_size / sizeof **list;
    *names = o->data + strings->sh_offset;
    *names_bytes = strings->sh_size;
    return strings->sh_size && !(*names)[strings->sh_size - 1];
  }
  return false;
}

/* What the word at `offset` will hold when the object is loaded: an address in it, 0: unknown. */
static uint64_t target(const struct object *o, const Elf64_Sym *list, size_t count,
                       uint64_t offset) {
  for (size_t i = 0; i < o->count; i++) {
    const Elf64_Shdr *s = &o->sections[i];
    if (s->sh_type != SHT_RELA) continue;
    const Elf64_Rela *r = (const Elf64_Rela *)(const void *)(o->data + s->sh_offset);
    for (size_t k = 0; k < s->sh_size / sizeof *r; k++) {
      if (r[k].r_offset != offset) continue;
      if (ELF64_R_TYPE(r[k].r_info) == R_X86_64_RELATIVE) return (uint64_t)r[k].r_addend;
      const size_t symbol = ELF64_R_SYM(r[k].r_info);
      return symbol < count ? list[symbol].st_value : 0;
    }
  }
  return 0;
}

static const char *name_at(const Elf64_Sym *list, size_t count, const char *names, size_t bytes,
                           uint64_t address) {
  for (size_t i = 0; i < count; i++)
    if (list[i].st_value == address && list[i].st_shndx && list[i].st_name < bytes)
      return names + list[i].st_name;
  return NULL;
}

bool nvrtc_names_read(struct program *p, const char *data, size_t bytes) {
  struct object o = {data, bytes, NULL, 0};
  const Elf64_Sym *list;
  const char *names;
  size_t count, names_bytes;
  if (!p->expressions.count) return true;
  if (!open_object(&o) || !find_symbols(&o, &list, &count, &names, &names_bytes)) return false;
  for (size_t i = 0; i < p->expressions.count; i++) {
    char variable[40];
    const char *found = NULL;
    snprintf(variable, sizeof variable, "simt_name_%zu", i);
    for (size_t k = 0; k < count && !found; k++) {
      if (list[k].st_name >= names_bytes || strcmp(names + list[k].st_name, variable) != 0)
        continue;
      const uint64_t address = target(&o, list, count, list[k].st_value);
      found = address ? name_at(list, count, names, names_bytes, address) : NULL;
    }
    if (!found) return false;
    string_list_add(&p->lowered, found);
  }
  return true;
}
