/* Unwinding from a call of the API, and a look at the instructions behind it.
 *
 * Method   _Unwind_Backtrace; frames of this library and of others are left out, a callback's
 *          frames stay. Whether the program looks at a result is read from the instructions
 *          behind its call: the first one that touches eax reads it or not; a function that
 *          returns at once hands the result on to its own caller
 * Limits   x86-64. An instruction that is not known counts as a look
 */
#include "call_stack.h"
#include "check.h"

#include "runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

/* An entry of the driver API, which a library calls for the program. */
static bool is_driver(const unsigned char *pc) {
  Dl_info info;
  if (!dladdr(pc - 1, &info) || !info.dli_sname) return false;
  return !strncmp(info.dli_sname, "cu", 2) && info.dli_sname[2] >= 'A' && info.dli_sname[2] <= 'Z';
}

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *user) {
  struct ck_call *call = user;
  const unsigned char *pc = (const unsigned char *)_Unwind_GetIP(context);
  if (!pc) return _URC_END_OF_STACK;
  if (sd_in_program(pc - 1))
    call->pcs[call->count++] = pc;
  else if (call->count == 0 && !call->driver)
    call->ours = pc;
  if (call->ours == pc && rt_calls_are_drivers()) call->driver = is_driver(pc);
  return call->count == FINDING_PCS ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Of an operation that was issued before. */
static _Thread_local const struct ck_call *earlier;

void ck_call_is(const struct ck_call *call) { earlier = call; }

struct ck_call ck_call_here(void) {
  struct ck_call call = {.count = 0};
  if (earlier) return *earlier;
  _Unwind_Backtrace(step, &call);
  return call;
}

uint64_t ck_call_pcs(const struct ck_call *call, uint64_t pcs[FINDING_PCS]) {
  uint64_t hash = 0;
  memset(pcs, 0, FINDING_PCS * sizeof *pcs);
  for (int i = 0; i < call->count; i++) {
    pcs[i] = sd_module_offset(call->pcs[i]);
    hash = ck_hash(hash, pcs[i]);
  }
  return hash;
}

uint64_t ck_host_stack(uint64_t pcs[FINDING_PCS]) {
  const struct ck_call call = ck_call_here();
  return ck_call_pcs(&call, pcs);
}

void ck_host_frames(uint64_t pcs[FINDING_PCS], const void *pc, const void *frame) {
  uintptr_t at = (uintptr_t)frame;
  int n = 0;
  memset(pcs, 0, FINDING_PCS * sizeof *pcs);
  if (!sd_in_program(pc)) return;
  pcs[n++] = sd_module_offset(pc);
  while (n < FINDING_PCS && at && at % 8 == 0) {
    const uintptr_t *words = (const uintptr_t *)at;
    if (!sd_in_program((const void *)words[1])) return;
    pcs[n++] = sd_module_offset((const void *)words[1]);
    if (words[0] <= at || words[0] - at > ((uintptr_t)1 << 24)) return;
    at = words[0];
  }
}

/* The host's heap comes by other names (host_heap.c). */
static const char *plain_name(const char *name) {
  if (strncmp(name, "__wrap_", 7)) return name;
  if (strncmp(name, "__wrap__Zd", 10)) return name + 7;
  return name[10] == 'a' ? "delete[]" : "delete";
}

void ck_call_name(const struct ck_call *call, char *name, size_t size) {
  Dl_info info;
  name[0] = 0;
  if (call->ours && dladdr((const char *)call->ours - 1, &info) && info.dli_sname)
    snprintf(name, size, "%s", plain_name(info.dli_sname));
}

/* ---- Results --------------------------------------------------------------------------------- */

enum look { LOOKS, IGNORES, GOES_ON, RETURNS };

/* Bytes of a ModRM operand, the ModRM byte included. */
static size_t operand_bytes(const unsigned char *modrm) {
  const unsigned mode = *modrm >> 6, rm = *modrm & 7;
  size_t n = 1;
  if (mode == 3) return n;
  if (rm == 4) {
    if (mode == 0 && (modrm[1] & 7) == 5) n += 4;
    n++;
  } else if (mode == 0 && rm == 5) {
    n += 4;
  }
  return n + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}

/* Whether a memory operand's address is made with rax. */
static bool through_rax(const unsigned char *modrm, unsigned rex) {
  const unsigned mode = *modrm >> 6, rm = *modrm & 7;
  if (rex & 3) return false;
  if (mode == 3) return false;
  return rm == 4 ? (modrm[1] & 7) == 0 || (modrm[1] >> 3 & 7) == 0 : rm == 0;
}

/* One instruction at *at; moves *at behind it if it has nothing to do with eax. */
static enum look look_at(const unsigned char **at) {
  const unsigned char *p = *at;
  unsigned rex = 0;
  if ((*p & 0xF0) == 0x40) rex = *p++;
  const unsigned char code = *p++;
  const unsigned reg = (*p >> 3 & 7) | (rex & 4 ? 8 : 0);
  if (code >= 0xB8 && code <= 0xBF) { /* mov $imm, register */
    if (code == 0xB8 && !(rex & 1)) return IGNORES;
    *at = p + (rex & 8 ? 8 : 4);
    return GOES_ON;
  }
  switch (code) {
  case 0xC3: return RETURNS;
  case 0xC9: /* leave */
  case 0x90: *at = p; return GOES_ON;
  case 0xE8: return IGNORES; /* a call: eax goes */
  case 0xEB: *at = p + 1 + (signed char)*p; return GOES_ON;
  case 0xF2:
  case 0xF3: /* loads and conversions of floating-point numbers */
    if ((*p & 0xF0) == 0x40) rex = *p++;
    if (*p != 0x0F || (p[1] & 0xFE) != 0x10 || through_rax(p + 2, rex)) return LOOKS;
    *at = p + 2 + operand_bytes(p + 2);
    return GOES_ON;
  case 0x83:
  case 0x81: /* add or sub of rsp */
    if (rex != 0x48 || (*p != 0xC4 && *p != 0xEC)) return LOOKS;
    *at = p + (code == 0x83 ? 2 : 5);
    return GOES_ON;
  case 0x8D: /* lea */
  case 0x8B: /* mov memory or register, register */
    if (through_rax(p, rex)) return LOOKS;
    if (*p >> 6 == 3 && (*p & 7) == 0 && !(rex & 1)) return LOOKS;
    if (reg == 0) return IGNORES;
    *at = p + operand_bytes(p);
    return GOES_ON;
  case 0x89: /* mov register, register or memory */
    if (reg == 0 || through_rax(p, rex)) return LOOKS;
    if (*p >> 6 == 3 && (*p & 7) == 0 && !(rex & 1)) return IGNORES;
    *at = p + operand_bytes(p);
    return GOES_ON;
  case 0xC7: /* mov $imm, memory */
    if (through_rax(p, rex)) return LOOKS;
    *at = p + operand_bytes(p) + 4;
    return GOES_ON;
  default: break;
  }
  if (code >= 0x58 && code <= 0x5F) { /* pop */
    *at = p;
    return code == 0x58 && !(rex & 1) ? IGNORES : GOES_ON;
  }
  return LOOKS;
}

bool ck_result_ignored(const struct ck_call *call) {
  enum { MOST = 24 };
  for (int frame = 0; frame < call->count; frame++) {
    const unsigned char *at = call->pcs[frame];
    enum look look = GOES_ON;
    for (int n = 0; n < MOST && look == GOES_ON && sd_in_program(at); n++) look = look_at(&at);
    if (look != RETURNS) return look == IGNORES;
  }
  return false;
}
