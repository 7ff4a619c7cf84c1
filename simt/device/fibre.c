/* Stacks in groups of one mapping each; untouched pages cost nothing. */
#include "fibre.h"

#include <stdatomic.h>
#include <sys/mman.h>

enum { PAGE = 4096, GROUP = 32, GROUP_BYTES = 16 << 20, MAX_GUARDS = 12000 };

/* Of all pools together: each costs the kernel two mappings of 65,530. */
static atomic_uint guards;

/* On entry the stack pointer must be 8 off a multiple of 16, as after a call. */
void sd_stack_prepare(struct stack *stack, void (*entry)(void)) {
  uintptr_t *frame = (uintptr_t *)sd_stack_top(stack) - 2;
  frame[0] = (uintptr_t)entry;
  frame[1] = 0;
  stack->sp = frame;
}

/* The stack records stand in the stacks' own top bytes, so that a group is one mapping. */
static struct stack *map_group(struct stack_pool *pool) {
  const size_t step = pool->bytes + PAGE;
  const size_t fit = GROUP_BYTES / step, group = fit > GROUP ? GROUP : fit ? fit : 1;
  unsigned char *memory = mmap(NULL, step * group, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  for (size_t i = group; i-- > 0;) {
    unsigned char *low = memory + i * step;
    if (atomic_fetch_add(&guards, 1) >= MAX_GUARDS || mprotect(low, PAGE, PROT_NONE) != 0)
      atomic_fetch_sub(&guards, 1);
    struct stack *stack = (struct stack *)(void *)(low + step - sizeof(struct stack));
    stack->base = low + PAGE;
    stack->bytes = pool->bytes - sizeof(struct stack);
    stack->colour = (pool->count++ * 5 % 61) * 64;
    stack->next = pool->idle;
    pool->idle = stack;
    stack->older = pool->newest;
    pool->newest = stack;
  }
  return pool->idle;
}

void sd_stack_give_all(struct stack_pool *pool) {
  for (struct stack *stack = pool->newest; stack; stack = stack->older) stack->next = stack->older;
  pool->idle = pool->newest;
}

struct stack *sd_stack_take(struct stack_pool *pool, void (*entry)(void)) {
  struct stack *stack = pool->idle;
  if (!stack) {
    stack = map_group(pool);
    if (!stack) return NULL;
  }
  pool->idle = stack->next;
  sd_stack_prepare(stack, entry);
  return stack;
}

/* Idle stacks of the old size are left mapped but their pages are given back: their records
 * lie inside them, and a change of size is rare. */
void sd_stack_resize(struct stack_pool *pool, size_t bytes) {
  bytes = (bytes + PAGE - 1) / PAGE * PAGE;
  if (pool->bytes == bytes) return;
  while (pool->idle) {
    struct stack *stack = pool->idle;
    pool->idle = stack->next;
    munmap(stack->base, (stack->bytes + sizeof(struct stack)));
  }
  pool->newest = NULL;
  pool->bytes = bytes;
}
