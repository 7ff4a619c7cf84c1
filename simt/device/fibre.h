/* Stacks and the switch between them.
 *
 * Result   a fibre is a stack with a saved stack pointer; sd_swap leaves one and continues
 *          another on the same OS thread
 * Method   the stack pointer and the registers that the compiler holds live: a few nanoseconds
 * Limits   x86-64 System V; rounding mode and signal mask are not switched
 */
#ifndef SIMT_FIBRE_H
#define SIMT_FIBRE_H

#include <stddef.h>
#include <stdint.h>

struct stack {
  void *sp;            /* where an idle stack goes on */
  unsigned char *base; /* lowest usable byte; a guard page lies below */
  size_t bytes;
  size_t colour; /* the top is moved by this, so that stacks do not share cache sets */
  struct stack *next;
  struct stack *older; /* the one of its pool that was made before */
};

/* A list of idle stacks of one OS thread. */
struct stack_pool {
  struct stack *idle;
  struct stack *newest; /* of all, idle or not */
  size_t bytes;         /* of each stack */
  size_t count;         /* made so far */
};

/* sd_swap - saves this context's stack pointer in *save and continues the one in `load`
 *
 * A saved stack's top word is the address to go on at. It is jumped to, not returned to, and
 * the switch is no call: so the processor's prediction of returns stays right, which is worth
 * half of the time. Needs -mno-red-zone. */
static inline __attribute__((always_inline)) void sd_swap(void **save, void *load) {
  __asm__ volatile("pushq %%rbp\n\t"
                   "pushq %%rbx\n\t"
                   "leaq 1f(%%rip), %%rax\n\t"
                   "pushq %%rax\n\t"
                   "movq %%rsp, (%0)\n\t"
                   "movq %1, %%rsp\n\t"
                   "popq %%rax\n\t"
                   "jmpq *%%rax\n"
                   "1:\n\t"
                   "popq %%rbx\n\t"
                   "popq %%rbp"
                   : "+D"(save), "+S"(load)
                   :
                   : "memory", "cc", "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13",
                     "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                     "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
/* sd_continue - continues `load`; the present context is lost */
static inline __attribute__((always_inline, noreturn)) void sd_continue(void *load) {
  __asm__ volatile("movq %0, %%rsp\n\t"
                   "popq %%rax\n\t"
                   "jmpq *%%rax"
                   :
                   : "D"(load)
                   : "memory", "rax");
  __builtin_unreachable();
}

/* sd_stack_take - an idle stack that will start in `entry`, which must not return;
 * NULL when there is no memory */
struct stack *sd_stack_take(struct stack_pool *pool, void (*entry)(void));
static inline void sd_stack_give(struct stack_pool *pool, struct stack *stack) {
  stack->next = pool->idle;
  pool->idle = stack;
}
/* sd_stack_give_all - makes all stacks of the pool idle, whatever is on them */
void sd_stack_give_all(struct stack_pool *pool);
/* sd_stack_top - where a prepared stack begins */
static inline uintptr_t sd_stack_top(const struct stack *stack) {
  return ((uintptr_t)(stack->base + stack->bytes) - stack->colour) & ~(uintptr_t)15;
}
/* sd_stack_prepare - makes a stack start anew in `entry` */
void sd_stack_prepare(struct stack *stack, void (*entry)(void));
/* sd_stack_resize - the pool's later stacks have this size; idle ones are given back */
void sd_stack_resize(struct stack_pool *pool, size_t bytes);

#endif
