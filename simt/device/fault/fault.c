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
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
  PAGE = 4096,
  SIGNAL_STACK = 64 * 1024,
  NOTHING = 64 * 1024, /* no memory is below */
  ILLEGAL_ADDRESS = 700,
  LAUNCH_TIMEOUT = 702,
  STACK_ERROR = 714,
  ILLEGAL_INSTRUCTION = 715,
  LAUNCH_FAILURE = 719,
};

static struct sigaction before[NSIG];

const char *sd_where(char *text, size_t bytes) {
  const struct worker *me = sd_current;
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

void sd_fail_out_of_memory(struct grid *grid, const char *what) {
  enum { MEMORY_ALLOCATION = 2 };
  int none = 0;
  if (!atomic_compare_exchange_strong(&grid->error, &none, MEMORY_ALLOCATION)) return;
  sd_report(
      "out of memory: kernel %s (%s:%d): the system gives no memory for %s; the launch is ended "
      "with cudaErrorMemoryAllocation (ulimit -v, the size of a block, cudaLimitStackSize)",
      grid->kernel->name, grid->kernel->file, grid->kernel->line, what);
}

static void leave_lane(struct worker *me, int error) {
  sd_fail_grid(me->grid, error);
  sd_leave(LEFT_ABORTED);
}

void sd_fail_launch(int error) {
  struct worker *me = sd_current;
  me->locked = 1;
  leave_lane(me, error);
  __builtin_unreachable();
}

static bool overflows(const struct worker *me, uintptr_t address) {
  const struct stack *stack = me->lane ? me->lane->stack : me->plain_stack;
  const uintptr_t base = (uintptr_t)stack->base;
  return address < base && address + 64 * PAGE >= base;
}

/* What has happened, and where: pc and frame are 0 where they are not known. */
struct event {
  int signal;
  const siginfo_t *info;
  const void *pc, *frame;
};

/* A finding for the observer, else a line of its own. `name` is for the line alone. */
static void say(const struct event *event, enum sd_class class, const char *name,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

static void say(const struct event *event, enum sd_class class, const char *name,
                const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (n < 0) text[0] = 0;
  if (sd_observer && sd_observer->fault)
    sd_observer->fault(class, event->info ? event->info->si_addr : NULL, event->pc, event->frame,
                       text);
  else
    sd_report_end("%s: %s", name, text);
}

void sd_report_illegal_call(enum sd_class class, const void *frame, const char *format, ...) {
  char text[1024];
  struct worker *me = sd_current;
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (n < 0) text[0] = 0;
  if (!sd_observer || !sd_observer->fault || !me || !me->lane) {
    sd_report_end("%s", text);
    return;
  }
  me->locked = 1;
  sd_note_position(me->lane, frame);
  sd_observer->fault(class, NULL, me->lane->pc, me->lane->frame, text);
}

/* What is closed is the host's, or another device's. */
static bool is_host_pointer(const void *address) {
  return sd_guarded(address) && sd_space_of(address) == SD_HOST_MEMORY;
}

static enum sd_class class_of(const void *address) {
  if ((uintptr_t)address < NOTHING) return SD_NULL_POINTER;
  return is_host_pointer(address) ? SD_HOST_POINTER : SD_OUT_OF_BOUNDS;
}

/* The first report of a grid is the one that counts; in a plain kernel the block is run
 * again to learn the thread, so the report waits for that. */
static void report_fault(struct worker *me, const struct event *event) {
  char where[512], what[256];
  const void *address = event->info->si_addr;
  sd_where(where, sizeof where);
  if (event->signal == SIGILL) {
    say(event, SD_BAD_CALL, "illegal instruction", "%s", where);
    leave_lane(me, ILLEGAL_INSTRUCTION);
  }
  if (event->signal != SIGFPE && overflows(me, (uintptr_t)address)) {
    say(event, SD_STACK_OVERFLOW, "stack overflow",
        "%s; deeper recursion needs cudaDeviceSetLimit(cudaLimitStackSize, ...)", where);
    leave_lane(me, STACK_ERROR);
  }
  if (event->info->si_code == SI_KERNEL) {
    say(event, SD_MISALIGNED, "misaligned or impossible address", "%s", where);
    leave_lane(me, ILLEGAL_ADDRESS);
  }
  sd_describe_address(address, what, sizeof what);
  say(event, class_of(address), is_host_pointer(address) ? "host pointer" : "out of bounds",
      "%s, address %p: %s", where, address, what);
  leave_lane(me, ILLEGAL_ADDRESS);
}

/* ---- Division by zero ---------------------------------------------------------------------- */

/* The length of a div or idiv at `code`, and whether it is 64 bits wide; 0 if it is neither. */
static size_t division_length(const unsigned char *code, unsigned *width) {
  size_t n = 0;
  unsigned rex = 0;
  *width = 32;
  if (code[n] == 0x66) *width = 16, n++;
  if ((code[n] & 0xF0) == 0x40) rex = code[n++];
  if (rex & 8) *width = 64;
  if (code[n] != 0xF7 && code[n] != 0xF6) return 0;
  if (code[n] == 0xF6) *width = 8;
  const unsigned modrm = code[n + 1], mode = modrm >> 6, rm = modrm & 7;
  if ((modrm >> 3 & 7) < 6) return 0;
  n += 2;
  if (mode == 3) return n;
  if (rm == 4) {
    if (mode == 0 && (code[n] & 7) == 5) n += 4;
    n++;
  } else if (mode == 0 && rm == 5) {
    n += 4;
  }
  return n + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}

/* Quotient all ones, remainder the dividend: what GPUs give. */
static bool skip_division(ucontext_t *context) {
  greg_t *r = context->uc_mcontext.gregs;
  unsigned width;
  const size_t length = division_length((const unsigned char *)r[REG_RIP], &width);
  if (!length || width < 32) return false;
  r[REG_RDX] = r[REG_RAX];
  r[REG_RAX] = width == 64 ? -1LL : 0xFFFFFFFFLL;
  r[REG_RIP] += (greg_t)length;
  return true;
}

/* ---- Handlers -------------------------------------------------------------------------------- */

/* In a function of a library, such as memset: who called it. */
static void find_caller(struct event *event, const greg_t *r) {
  const struct lane *lane = sd_current->lane;
  const void *const *sp = (const void *const *)r[REG_RSP];
  event->pc = (const void *)r[REG_RIP];
  event->frame = (const void *)r[REG_RBP];
  if (sd_in_program(event->pc) || !lane) return;
  const uintptr_t base = (uintptr_t)lane->stack->base;
  for (unsigned i = 0; i < 64; i++) {
    if ((uintptr_t)(sp + i) - base >= lane->stack->bytes) return;
    if (!sd_in_program(sp[i])) continue;
    event->pc = sp[i];
    return;
  }
}

static void host_fault(int signal) { sigaction(signal, &before[signal], NULL); }

static void on_fault(int signal, siginfo_t *info, void *context) {
  struct worker *me = sd_current;
  const int saved = errno;
  const ucontext_t *c = context;
  const void *pc = (const void *)c->uc_mcontext.gregs[REG_RIP];
  const bool device = me && (me->lane || me->plain);
  if (signal == SIGSEGV && sd_guarded(info->si_addr)) {
    const enum sd_space space = sd_space_of(info->si_addr);
    const bool wrong =
        device && sd_in_program(pc) && (space == SD_HOST_MEMORY || space == SD_DEVICE_MEMORY);
    if (!wrong && sd_open_host()) {
      errno = saved;
      return;
    }
  }
  if (!device) {
    if (signal != SIGSEGV || !sd_opened_since(info->si_addr)) host_fault(signal);
    errno = saved;
    return;
  }
  if (signal == SIGFPE && skip_division(context)) return;
  me->locked = 1;
  if (me->plain && !me->diagnosing) {
    me->fault = *info;
    me->fault_signal = signal;
    sd_leave(LEFT_WAITING);
  }
  struct event event = {.signal = signal, .info = info};
  find_caller(&event, c->uc_mcontext.gregs);
  report_fault(me, &event);
}

/* sd_report_fault_anew - the thread was not found: the block alone is said */
void sd_report_fault_anew(struct worker *me) {
  me->plain = true;
  const struct event event = {.signal = me->fault_signal, .info = &me->fault};
  report_fault(me, &event);
}

/* ---- The watchdog's signal ------------------------------------------------------------------ */

static void report_overdue(const struct event *event) {
  struct grid *grid = sd_current->grid;
  const char *why = atomic_exchange(&grid->overdue, NULL);
  char where[512];
  if (!why) return;
  say(event, SD_NO_PROGRESS, "watchdog",
      "%s: %s for %.3g s; it is ended with cudaErrorLaunchTimeout (SIMT_TIMEOUT sets the seconds, "
      "0 is no limit)",
      sd_where(where, sizeof where), why, grid->overdue_seconds);
}

void sd_end_if_overdue(const void *pc, const void *frame) {
  struct worker *me = sd_current;
  if (!atomic_load_explicit(&me->grid->overdue, memory_order_relaxed)) return;
  const struct event event = {.pc = pc, .frame = frame};
  me->locked = 1;
  report_overdue(&event);
  leave_lane(me, LAUNCH_TIMEOUT);
}

/* A jump by which the program enters a library: who called is on top of the stack. */
static const void *before_jump(const greg_t *r) {
  static const unsigned char marker[4] = {0xF3, 0x0F, 0x1E, 0xFA};
  const unsigned char *code = (const unsigned char *)r[REG_RIP];
  if (memcmp(code, marker, sizeof marker) == 0) code += sizeof marker;
  if (*code == 0xF2) code++;
  if (code[0] == 0xFF && code[1] == 0x25) return *(const void *const *)r[REG_RSP];
  return (const void *)r[REG_RIP];
}

/* A look at a thread that has not given way, or the end of a grid that has failed. It comes
 * on the lane's own stack, so a lane that polls simply stops here and goes on later. */
static void on_tick(int signal, siginfo_t *info, void *context) {
  struct worker *me = sd_current;
  const ucontext_t *c = context;
  const int saved = errno;
  (void)signal;
  (void)info;
  if (!me || !me->grid || me->locked || !(me->lane || me->plain)) return;
  if (!sd_in_program((const void *)c->uc_mcontext.gregs[REG_RIP])) return;
  if (atomic_load(&me->grid->error)) sd_leave(LEFT_ABORTED);
  /* The observer wants the same turns in every run, and takes them by count. */
  if (sd_observer)
    sd_end_if_overdue(before_jump(c->uc_mcontext.gregs),
                      (const void *)c->uc_mcontext.gregs[REG_RBP]);
  else
    sd_spin_look(me, context);
  errno = saved;
}

static void install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    sigaction(faults[i], &action, &before[faults[i]]);
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(SIGURG, &action, NULL);
  sd_spin_prepare();
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
