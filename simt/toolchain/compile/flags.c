/* Flags with their reasons (flags.h). */
#include "flags.h"

#include "base/string_list.h"

void flags_add(struct string_list *w, const char *const *flags) {
  for (; *flags; flags++) string_list_add(w, *flags);
}

void flags_of_cuda(struct string_list *w) {
  flags_add(w, (const char *const[]){"-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=13",
                                     "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=88",
                                     "-D__CUDACC_EXTENDED_LAMBDA__=1",
                                     "-D__CUDACC_RELAXED_CONSTEXPR__=1", NULL});
}

void flags_of_observer(enum mode mode, struct string_list *w) {
  if (mode == MODE_CHECK) string_list_add(w, "-D__SIMT_CHECK__=1");
  if (mode == MODE_PROFILE) string_list_add(w, "-D__SIMT_PROFILE__=1");
}

void flags_of_mode(enum mode mode, bool optimize, struct string_list *w) {
  /* DWARF 4, since addr2line of binutils 2.40 takes the first file of a DWARF 5 table for the
   * second and so gives lines to the wrong file */
  static const char *const instrumented[] = {"-gdwarf-4",
                                             "-g1",
                                             "-fno-omit-frame-pointer",
                                             "-fsanitize=thread",
                                             "--param=tsan-distinguish-volatile=1",
                                             "--param=tsan-instrument-func-entry-exit=0",
                                             NULL};
  if (mode == MODE_RUN) {
    string_list_add(w, "-O3");
    return;
  }
  /* The source's own accesses and branches: the compiler is not to merge or move them. */
  if (mode == MODE_CHECK) {
    /* Variables in their order, so that the gaps between them are; a barrier stays one call. */
    flags_add(w, (const char *const[]){optimize ? "-O1" : "-O0", "-fno-toplevel-reorder",
                                       "-fno-thread-jumps", "-fsanitize=bounds-strict",
                                       "-fsanitize=alignment", NULL});
  } else {
    flags_add(w, (const char *const[]){
                     "-O1", "-fno-reorder-blocks", "-fno-if-conversion", "-fno-if-conversion2",
                     "-fno-ssa-phiopt", "-fno-thread-jumps", "-fno-inline-functions-called-once",
                     "-fno-tree-sra", "-fno-tree-sink", "-fno-tree-loop-im",
                     "-fno-move-loop-invariants", "-fsanitize-coverage=trace-pc", NULL});
  }
  flags_add(w, instrumented);
}

void flags_of_compiler(struct string_list *w) {
  flags_add(w, (const char *const[]){"-march=native", "-mprefer-vector-width=256",
                                     "-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno",
                                     "-fno-trapping-math", "-fno-show-column",
                                     "-fno-diagnostics-show-caret", "-w", NULL});
}
