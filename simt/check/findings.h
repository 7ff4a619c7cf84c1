/* The file in which a checked program leaves its findings, for heddle-check.
 *
 * Method   heddle-check makes the file, of fixed size, and names it in SIMT_CHECK; the program
 *          maps it shared, so that what was found survives any end of the program. Findings are
 *          told apart by class and sites; a further one of the same is only counted. The
 *          file is the program's to write: the reader trusts no number and no string in it
 * Limits   FINDINGS different ones; the rest is counted in `lost`
 */
#ifndef SIMT_FINDINGS_H
#define SIMT_FINDINGS_H

#include <stdint.h>

enum {
  FINDINGS_MAGIC = 0x48444C43, /* "HDLC" */
  FINDINGS_VERSION = 1,
  FINDINGS = 4096,
  FINDING_PCS = 6,
  FINDING_TEXT = 512,
  FINDING_NAME = 128,
  FINDING_MODULES = 4096,
  FINDING_PATH = 240,
};

enum finding_access {
  FINDING_NO_ACCESS,
  FINDING_READ,
  FINDING_WRITE,
  FINDING_ATOMIC,
  FINDING_VOLATILE_READ,
  FINDING_VOLATILE_WRITE,
  FINDING_COPY_READ, /* cudaMemcpy and its kin, cudaMemset: pcs are the call's, on the host */
  FINDING_COPY_WRITE,
  FINDING_HOST_READ, /* host code */
  FINDING_HOST_WRITE,
  FINDING_ALLOCATION, /* the call that made the memory */
  FINDING_FREE,       /* the call that freed it */
  FINDING_BARRIER,
  FINDING_CALL, /* any other call */
};

/* Who did what where: a finding has up to FINDING_SIDES of them. */
struct finding_side {
  uint64_t pcs[FINDING_PCS]; /* return addresses less the program's load address, innermost
                                first; 0 ends. The line is that of pc - 1. Other modules lie
                                behind the program, see struct finding_module */
  char file[FINDING_NAME];   /* instead of pcs, where the line is known; "" if not */
  uint32_t line;
  uint32_t access; /* enum finding_access */
  uint32_t bytes;
  uint32_t has_thread; /* block, thread, warp and lane are set */
  uint32_t block[3], thread[3], warp, lane;
  char kernel[FINDING_NAME]; /* name; "" on the host */
  char stream[32];           /* "stream 2" where that matters */
};

enum { FINDING_SIDES = 4 }; /* first access, second, allocation, free */

struct finding {
  uint32_t used;   /* set last */
  uint32_t class;  /* enum sd_class */
  uint64_t count;  /* how often */
  uint64_t key;    /* hash of class and sites */
  uint64_t order;  /* when it was first seen */
  char kind[48];   /* "write/write", "read/write", "atomic/plain", "same value", ... or "" */
  char space[16];  /* "shared", "global", "local", "" */
  char reason[32]; /* missing "barrier", "syncwarp", "fence", "blocks", "streams", "host", "copy" */
  char object[256]; /* "shared variable tile + 12 (256 bytes)", "400 bytes from cudaMalloc + 400" */
  char text[FINDING_TEXT]; /* a sentence: what happened; "" where the rest says it all */
  uint64_t address;
  struct finding_side sides[FINDING_SIDES];
};

/* An object that was loaded while the program ran: pcs from begin to end are addresses in it. */
struct finding_module {
  uint64_t begin, end; /* end 0: there is none */
  char path[FINDING_PATH];
};

struct findings {
  uint32_t magic, version, size, capacity;      /* of struct finding; FINDINGS */
  uint64_t count;                               /* entries in use, at most capacity */
  uint64_t lost;                                /* did not fit */
  uint64_t total;                               /* all occurrences */
  uint64_t launches, blocks, threads, accesses; /* that were checked */
  uint64_t launches_skipped, blocks_skipped;    /* by --sample */
  char limits[256]; /* what the checker gave up on, in words; "" for nothing */
  struct finding list[FINDINGS];
  uint64_t owner; /* the process that writes here; 0: none yet */
  struct finding_module modules[FINDING_MODULES];
};

#endif
