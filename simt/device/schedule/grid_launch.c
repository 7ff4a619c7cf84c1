/* From a kernel's stub to a running grid.
 *
 * Method   <<<...>>> pushes a configuration, the stub pops it. A launch is put into the queue and
 *          returns. With an observer, with one OS thread, and where the kernel was given the
 *          host's memory (host_guard.c) the host must stand still: the launch returns when the
 *          grid is over; with the checker also when nothing but the host can make the grid go on
 *          (below: Turns). Grids run one at a time, in the order of the calls; a launch made on
 *          the device runs when its parent grid has finished, as the CUDA guide allows
 */
#include "lockstep.h"
#include "queue.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PENDING = 4, INVALID_VALUE = 1, OUT_OF_MEMORY = 2 };

struct child {
  struct child *next;
  const struct simt_kernel *kernel;
  struct simt_config config;
  size_t bytes; /* of this mapping */
  void *body;
};

static __thread struct simt_config pending[PENDING];
static __thread unsigned pending_count;
static __thread bool asking;
static __thread const struct simt_kernel *answer;
static pthread_mutex_t launch_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t stubs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct simt_stub *stubs;

void simt_configure(const struct simt_config *config) {
  if (!sd_current || !sd_current->lane) SD_NOTIFY_BARE(configured);
  if (pending_count < PENDING) pending[pending_count] = *config;
  pending_count++;
}

const struct simt_kernel *simt_kernel_of(void (*call)(void *), void *user) {
  asking = true;
  answer = NULL;
  call(user);
  asking = false;
  return answer;
}

void simt_register_kernel(struct simt_stub *stub) {
  pthread_mutex_lock(&stubs_lock);
  stub->next = stubs;
  stubs = stub;
  pthread_mutex_unlock(&stubs_lock);
}

const struct simt_stub *simt_find_kernel(const void *address) {
  const struct simt_stub *stub = stubs;
  while (stub && stub->address != address) stub = stub->next;
  return stub;
}

void sd_forget_kernels(uintptr_t begin, uintptr_t end) {
  pthread_mutex_lock(&stubs_lock);
  for (struct simt_stub **at = &stubs; *at;) {
    const uintptr_t stub = (uintptr_t)*at;
    if (stub >= begin && stub < end)
      *at = (*at)->next;
    else
      at = &(*at)->next;
  }
  pthread_mutex_unlock(&stubs_lock);
}

/* ---- Grids launched by threads of a grid ----------------------------------------------------- */

static struct child *make_child(const struct simt_kernel *kernel, const struct simt_config *config,
                                const void *body) {
  const size_t head = (sizeof(struct child) + 63) / 64 * 64;
  const size_t align = kernel->body_align > 64 ? kernel->body_align : 64;
  const size_t bytes = (head + align + kernel->body_bytes + 4095) / 4096 * 4096;
  struct child *child =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (child == MAP_FAILED) return NULL;
  uintptr_t at = (uintptr_t)child + head;
  at = (at + align - 1) / align * align;
  *child = (struct child){NULL, kernel, *config, bytes, (void *)at};
  memcpy(child->body, body, kernel->body_bytes);
  return child;
}

static void add_child(struct grid *grid, struct child *child) {
  pthread_mutex_lock(&grid->lock);
  *grid->last_child = child;
  grid->last_child = &child->next;
  pthread_mutex_unlock(&grid->lock);
}

/* A kernel reaches neither shared memory nor variables of the threads that have launched it. */
static void look_at_pointers(const struct worker *me, const struct simt_kernel *kernel,
                             const unsigned char *body, const void *frame) {
  for (size_t i = 0; i + sizeof(void *) <= kernel->body_bytes; i += sizeof(void *)) {
    const void *word;
    memcpy(&word, body + i, sizeof word);
    const bool shared = simt_is_shared(word);
    if (!shared && !sd_on_stack(me->lane, word)) continue;
    sd_report_illegal_call(SD_BAD_CALL, frame,
                           "kernel %s is given the address of %s of the thread that launches it, "
                           "which no other kernel can reach; hand on memory of the device",
                           kernel->name, shared ? "shared memory" : "a variable");
    return;
  }
}

static void launch_on_device(struct worker *me, const struct simt_kernel *kernel,
                             const struct simt_config *config, void *body) {
  const int was_locked = me->locked;
  me->locked = 1;
  if (sd_is_checked()) look_at_pointers(me, kernel, body, __builtin_frame_address(0));
  if (sd_check_launch(kernel, config) == 0 && sd_launch_begins(kernel)) {
    struct child *child = make_child(kernel, config, body);
    if (child) add_child(me->grid, child);
  }
  me->locked = was_locked;
}

/* ---- Running --------------------------------------------------------------------------------- */

static unsigned residency(const struct simt_config *config, uint64_t threads) {
  enum { MULTIPROCESSORS = 132, THREADS = 2048, BLOCKS = 32 };
  uint64_t each = THREADS / threads;
  if (each > BLOCKS) each = BLOCKS;
  (void)config;
  return (unsigned)(each * MULTIPROCESSORS);
}

/* late: the call that launched it has returned; child: by a kernel. */
static void run(const struct simt_kernel *kernel, const struct simt_config *config, void *body,
                bool late, bool child);

static void run_children(struct child *child, bool wanted, bool late) {
  while (child) {
    struct child *next = child->next;
    if (wanted) run(child->kernel, &child->config, child->body, late, true);
    munmap(child, child->bytes);
    child = next;
  }
}

/* A wrong result without a word is the worst that could happen: rather no result. */
static void check_complete(const struct grid *grid) {
  const uint64_t left = sd_deal_left(&grid->deal);
  if (!left || atomic_load(&grid->error)) return;
  sd_note(
      "kernel %s (%s:%d): %llu of %llu blocks were not run. This is an error of simt, not of the "
      "program; please report it",
      grid->kernel->name, grid->kernel->file, grid->kernel->line, (unsigned long long)left,
      (unsigned long long)grid->blocks);
  abort();
}

static void run(const struct simt_kernel *kernel, const struct simt_config *config, void *body,
                bool late, bool child) {
  struct grid grid;
  memset(&grid, 0, sizeof grid);
  grid.late = late;
  grid.child = child;
  grid.kernel = kernel;
  grid.module = sd_module_of(kernel);
  if (!grid.module) grid.module = sd_module_program();
  sd_module_use(grid.module);
  grid.body = body;
  grid.config = *config;
  grid.blocks = (uint64_t)config->grid.x * config->grid.y * config->grid.z;
  grid.threads = config->block.x * config->block.y * config->block.z;
  grid.deal.blocks = grid.blocks;
  grid.deal.room = residency(config, grid.threads);
  if (config->flags & SIMT_COOPERATIVE) grid.deal.room = UINT32_MAX;
  grid.last_child = &grid.children;
  pthread_mutex_init(&grid.lock, NULL);
  sd_prepare_grid(&grid);
  SD_NOTIFY(grid_begin, &grid);
  if (!late) sd_guard_host(&grid);
  sd_run_grid(&grid);
  sd_unguard_host();
  if (sd_observer) sd_end_waiting_if_overdue(&grid, NULL);
  SD_NOTIFY(grid_end, &grid);
  sd_text_flush(&grid);
  pthread_mutex_destroy(&grid.lock);
  check_complete(&grid);
  sd_count_launch(&grid);
  int error = atomic_load(&grid.error);
  if (!error) error = atomic_load(&grid.soft_error);
  if (error) sd_launch_failed(error);
  run_children(grid.children, error == 0, late);
}

/* Nothing is under way when the process forks or ends. */
static void follow_process(void) {
  pthread_atfork(sd_drain, NULL, NULL);
  atexit(sd_drain);
}

/* The current launch, under the lock. It works on a stack of its own with a copy of the
 * parameters, so that the caller's stack can be closed to the kernel (host_guard.c). */
struct request {
  const struct simt_kernel *kernel;
  struct simt_config config;
  const void *body;
  void *caller; /* its saved context */
  bool late;
};

enum { LAUNCH_STACK = 1 << 20 };

static struct request request;
static struct stack_pool launch_stacks = {.bytes = LAUNCH_STACK};

/* ---- Turns ----------------------------------------------------------------------------------- */

/* A grid whose threads poll memory of the host, while the host has its turn: under the checker both are
 * one OS thread, whose launch is left where it is until the host looks at such memory again, or
 * waits; what is issued behind it stays in the queue until it is over. FEWEST turns without an effect and the time limit: then it goes on as any other. */
static struct {
  void *launch; /* its saved context */
  struct stack *stack;
  bool waits, last; /* last: the host waits for it */
  pthread_t owner;
  uint64_t place; /* in the queue, since its first turn */
  uint64_t progress;
  unsigned idle; /* turns without progress */
  clock_t since;
} turn;

static bool is_in_vain(const struct worker *me) {
  enum { FEWEST = 1000 };
  const double limit = sd_options()->timeout_seconds;
  const uint64_t progress = me->progress + me->exits;
  if (progress != turn.progress || !turn.idle++) {
    turn.progress = progress;
    turn.idle = 1;
    turn.since = clock();
  }
  return turn.idle > FEWEST && (double)(clock() - turn.since) / CLOCKS_PER_SEC > limit;
}

bool sd_let_host(struct grid *grid) {
  struct worker *me = sd_current;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (!grid->polls_host || turn.last || is_in_vain(me)) return false;
  pthread_once(&once, follow_process);
  grid->polls_host = false;
  SD_NOTIFY(grid_suspended, grid);
  sd_watchdog_set(NULL);
  sd_unguard_host();
  if (!turn.place) sd_issued(grid->config.stream, turn.place = sd_queue_hold());
  turn.waits = true;
  turn.owner = pthread_self();
  sd_current = NULL;
  sd_swap(&turn.launch, request.caller);
  sd_current = me;
  turn.waits = false;
  sd_guard_host(grid);
  sd_watchdog_set(grid);
  SD_NOTIFY(grid_resumed, grid);
  return true;
}

/* To the caller of a launch: it is over, or waits. */
static void came_back(struct stack *stack) {
  turn.stack = stack;
  if (turn.waits) return;
  turn.idle = 0;
  sd_stack_give(&launch_stacks, stack);
  pthread_mutex_unlock(&launch_lock);
}

bool sd_launch_waits(void) { return turn.waits && pthread_equal(turn.owner, pthread_self()); }

void sd_resume_launch(bool to_the_end) {
  if (!sd_launch_waits()) return;
  turn.last = to_the_end;
  sd_swap(&request.caller, turn.launch);
  turn.last = false;
  came_back(turn.stack);
  if (turn.waits) return;
  turn.place = 0;
  sd_queue_go_on();
}

static void launch_main(void) {
  const struct simt_kernel *kernel = request.kernel;
  const struct simt_config config = request.config;
  const size_t align = kernel->body_align;
  unsigned char memory[kernel->body_bytes + align];
  void *body = (void *)(((uintptr_t)memory + align - 1) / align * align);
  memcpy(body, request.body, kernel->body_bytes);
  run(kernel, &config, body, request.late, false);
  sd_continue(request.caller);
}

static void run_now(const struct simt_kernel *kernel, const struct simt_config *config,
                    const void *body, bool late) {
  pthread_mutex_lock(&launch_lock);
  request = (struct request){kernel, *config, body, NULL, late};
  struct stack *stack = sd_stack_take(&launch_stacks, launch_main);
  if (stack) {
    sd_swap(&request.caller, stack->sp);
    came_back(stack);
  } else {
    sd_launch_failed(OUT_OF_MEMORY);
    pthread_mutex_unlock(&launch_lock);
  }
}

/* ---- Launches that return -------------------------------------------------------------------- */

/* As the queue has it; the parameters follow, or lie in pages of their own. */
struct late_launch {
  const struct simt_kernel *kernel;
  struct simt_config config;
  struct child *large;
  void *call; /* the observer's */
};
enum { LATE_HEAD = (sizeof(struct late_launch) + 63) / 64 * 64 };

static void run_late(void *data) {
  const struct late_launch *launch = data;
  struct child *large = launch->large;
  SD_NOTIFY(issued_begin, launch->call);
  if (sd_launch_begins(launch->kernel))
    run_now(launch->kernel, &launch->config, large ? large->body : (char *)data + LATE_HEAD,
            !sd_observer);
  SD_NOTIFY(issued_end, launch->call);
  if (large) munmap(large, large->bytes);
}

void sd_drain(void) {
  if (simt_on_device()) return;
  while (sd_launch_waits()) sd_resume_launch(true);
  sd_queue_drain();
  sd_text_release();
}

bool sd_launches_return(void) {
  const struct sd_options *options = sd_options();
  return !sd_observer && !options->blocking && options->threads > 1 && sd_may_return();
}

/* False: it must be run now. */
static bool launch_late(const struct simt_kernel *kernel, const struct simt_config *config,
                        const void *body) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (!sd_queue_is_held() && (!sd_launches_return() || sd_would_guard(kernel, body))) return false;
  const bool fits = kernel->body_bytes <= SD_QUEUE_BYTES - LATE_HEAD && kernel->body_align <= 64;
  struct child *large = fits ? NULL : make_child(kernel, config, body);
  if (!fits && !large) return false;
  struct late_launch *launch = sd_queue_add(LATE_HEAD + (fits ? kernel->body_bytes : 0), run_late);
  if (!launch) {
    if (large) munmap(large, large->bytes);
    return false;
  }
  *launch = (struct late_launch){kernel, *config, large, NULL};
  SD_NOTIFY(issued, &launch->call);
  if (fits) memcpy((char *)launch + LATE_HEAD, body, kernel->body_bytes);
  sd_issued(config->stream, sd_queue_commit());
  pthread_once(&once, follow_process);
  return true;
}

void simt_enter(const struct simt_kernel *kernel, void *body) {
  if (asking) {
    answer = kernel;
    return;
  }
  if (pending_count == 0) {
    const struct sd_location locations[2] = {{kernel->file, kernel->line}, {NULL, 0}};
    sd_report_finding(
        SD_BAD_CALL, locations,
        "kernel %s (%s:%d) was called like a function; a launch needs <<<grid, block>>>",
        kernel->name, kernel->file, kernel->line);
    return;
  }
  pending_count--;
  if (pending_count >= PENDING) return;
  const struct simt_config config = pending[pending_count];
  struct worker *me = sd_current;
  if (me && me->lane) {
    launch_on_device(me, kernel, &config, body);
    return;
  }
  const int error = sd_check_launch(kernel, &config);
  SD_NOTIFY(launched, kernel, &config, error);
  if (error) return;
  if (sd_capture_launch(kernel, &config, body)) return;
  if (launch_late(kernel, &config, body)) return;
  sd_drain();
  if (sd_launch_begins(kernel)) run_now(kernel, &config, body, false);
}
