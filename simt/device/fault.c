/* Faults of device code become CUDA errors.
 *
 * Method   a bad access, a stack overflow or a trap raises a signal; the handler, on a stack
 *          of its own, says kernel, block, thread and what the address is, gives the grid its
 *          error and leaves the thread's stack for the worker's. Faults of host code keep
 *          their usual end. Division by zero, which no GPU traps, gets a result instead
 * Limits   what lies inside an allocation cannot fault
 */
#include "grid.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
  PAGE = 4096,
  SIGNAL_STACK = 64 * 1024,
  ILLEGAL_ADDRESS = 700,
  LAUNCH_TIMEOUT = 702,
  STACK_ERROR = 714,
  ILLEGAL_INSTRUCTION = 715,
  LAUNCH_FAILURE = 719,
};

struct span {
  uintptr_t begin, end;
};
static struct span program[8];
static size_t program_spans;
static struct sigaction before[NSIG];

static int find_program(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size;
  (void)user;
  if (info->dlpi_name && info->dlpi_name[0]) return 0;
  for (int i = 0; i < info->dlpi_phnum && program_spans < 8; ++i) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    const uintptr_t begin = info->dlpi_addr + header->p_vaddr;
    program[program_spans++] = (struct span){begin, begin + header->p_memsz};
  }
  return 1;
}

bool sd_in_program(const void *pc) {
  for (size_t i = 0; i < program_spans; ++i)
    if ((uintptr_t)pc >= program[i].begin && (uintptr_t)pc < program[i].end) return true;
  return false;
}

const char *sd_where(char *text, size_t bytes) {
  const struct worker *me = sd_me;
  const struct simt_kernel *kernel = me->grid->kernel;
  const int n = snprintf(text, bytes, "kernel %s (%s:%d), block (%u,%u,%u)", kernel->name,
                         kernel->file, kernel->line, blockIdx.x, blockIdx.y, blockIdx.z);
  if ((me->lane || me->diagnosing) && n > 0 && (size_t)n < bytes)
    snprintf(text + n, bytes - (size_t)n, ", thread (%u,%u,%u)", threadIdx.x, threadIdx.y,
             threadIdx.z);
  return text;
}

void sd_fail_grid(struct grid *grid, int error) {
  int none = 0;
  atomic_compare_exchange_strong(&grid->error, &none, error);
}

static void leave_lane(struct worker *me, int error) {
  sd_fail_grid(me->grid, error);
  sd_leave(LEFT_ABORTED);
}

void sd_fail_launch(int error) {
  struct worker *me = sd_me;
  me->locked = 1;
  leave_lane(me, error);
  __builtin_unreachable();
}

static bool overflows(const struct worker *me, uintptr_t address) {
  const struct stack *stack = me->lane ? me->lane->stack : me->plain_stack;
  const uintptr_t base = (uintptr_t)stack->base;
  return address < base && address + 64 * PAGE >= base;
}

/* The first report of a grid is the one that counts; in a plain kernel the block is run
 * again to learn the thread, so the report waits for that. */
static void report_fault(struct worker *me, int signal, const siginfo_t *info) {
  char where[512], what[256];
  const uintptr_t address = (uintptr_t)info->si_addr;
  sd_where(where, sizeof where);
  if (signal == SIGILL) {
    sd_note("illegal instruction: %s", where);
    leave_lane(me, ILLEGAL_INSTRUCTION);
  }
  if (signal != SIGFPE && overflows(me, address)) {
    sd_note("stack overflow: %s; deeper recursion needs cudaDeviceSetLimit(cudaLimitStackSize, "
            "...)",
            where);
    leave_lane(me, STACK_ERROR);
  }
  if (info->si_code == SI_KERNEL) {
    sd_note("misaligned or impossible address: %s", where);
    leave_lane(me, ILLEGAL_ADDRESS);
  }
  sd_describe_address((const void *)address, what, sizeof what);
  sd_note("%s: %s, address %p: %s",
          sd_guarded((const void *)address) ? "host pointer" : "out of bounds", where,
          (void *)address, what);
  leave_lane(me, ILLEGAL_ADDRESS);
}

/* ---- Division by zero ---------------------------------------------------------------------- */

/* The length of a div or idiv at `code`, and whether it is 64 bits wide; 0 if it is neither. */
static size_t division_length(const unsigned char *code, unsigned int *width) {
  size_t n = 0;
  unsigned int rex = 0;
  *width = 32;
  if (code[n] == 0x66) *width = 16, ++n;
  if ((code[n] & 0xF0) == 0x40) rex = code[n++];
  if (rex & 8) *width = 64;
  if (code[n] != 0xF7 && code[n] != 0xF6) return 0;
  if (code[n] == 0xF6) *width = 8;
  const unsigned int modrm = code[n + 1], mode = modrm >> 6, rm = modrm & 7;
  if ((modrm >> 3 & 7) < 6) return 0;
  n += 2;
  if (mode == 3) return n;
  if (rm == 4) {
    if (mode == 0 && (code[n] & 7) == 5) n += 4;
    ++n;
  } else if (mode == 0 && rm == 5) {
    n += 4;
  }
  return n + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}

/* Quotient all ones, remainder the dividend: what GPUs give. */
static bool skip_division(ucontext_t *context) {
  greg_t *r = context->uc_mcontext.gregs;
  unsigned int width;
  const size_t length = division_length((const unsigned char *)r[REG_RIP], &width);
  if (!length || width < 32) return false;
  r[REG_RDX] = r[REG_RAX];
  r[REG_RAX] = width == 64 ? -1LL : 0xFFFFFFFFLL;
  r[REG_RIP] += (greg_t)length;
  return true;
}

/* ---- Handlers -------------------------------------------------------------------------------- */

static void host_fault(int signal) { sigaction(signal, &before[signal], NULL); }

static void on_fault(int signal, siginfo_t *info, void *context) {
  struct worker *me = sd_me;
  const int saved = errno;
  const ucontext_t *c = context;
  const void *pc = (const void *)c->uc_mcontext.gregs[REG_RIP];
  const bool device = me && (me->lane || me->plain);
  if (signal == SIGSEGV && sd_guarded(info->si_addr)) {
    if (!device || !sd_in_program(pc) || sd_space_of(info->si_addr) != SD_HOST_MEMORY) {
      sd_unguard_host();
      errno = saved;
      return;
    }
  }
  if (!device) {
    host_fault(signal);
    return;
  }
  if (signal == SIGFPE && skip_division(context)) return;
  me->locked = 1;
  if (me->plain && !me->diagnosing) {
    me->fault = *info;
    me->fault_signal = signal;
    sd_leave(LEFT_WAITING);
  }
  report_fault(me, signal, info);
}

/* sd_fault_again - the thread was not found: the block alone is said */
void sd_fault_again(struct worker *me) {
  me->plain = true;
  report_fault(me, me->fault_signal, &me->fault);
}

/* The watchdog's signal: another lane's turn, or the end of a grid that has failed. It comes
 * on the lane's own stack, so the lane simply stops here and goes on later. */
static void on_tick(int signal, siginfo_t *info, void *context) {
  struct worker *me = sd_me;
  const ucontext_t *c = context;
  const int saved = errno;
  (void)signal;
  (void)info;
  if (!me || !me->grid || me->locked || !(me->lane || me->plain)) return;
  if (!sd_in_program((const void *)c->uc_mcontext.gregs[REG_RIP])) return;
  if (atomic_load(&me->grid->error)) sd_leave(LEFT_ABORTED);
  if (me->lane) simt_yield();
  errno = saved;
}

static void install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i)
    sigaction(faults[i], &action, &before[faults[i]]);
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(SIGURG, &action, NULL);
  dl_iterate_phdr(find_program, NULL);
}

/* The signal stack of an OS thread stays with it. */
void sd_fault_prepare(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  void *memory = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  const stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_STACK};
  sigaltstack(&stack, NULL);
}
