/* faults.h - what a kernel may find wrong in the data or empty, the same numbers on both sides
 *
 * A kernel writes one to the call's fault word (hd_fault of device.h). */
#ifndef HEDDLE_KERNELS_BASE_FAULTS_H
#define HEDDLE_KERNELS_BASE_FAULTS_H

enum hd_fault_code {
  HD_FAULT_NONE,
  HD_FAULT_EMPTY,     /* HEDDLE_EMPTY: no values */
  HD_FAULT_ALL_NAN,   /* HEDDLE_EMPTY: nothing but NaN */
  HD_FAULT_OFFSETS,   /* HEDDLE_BAD_ARGUMENT: offsets fall; detail = the first index */
  HD_FAULT_WEIGHT,    /* HEDDLE_BAD_DATA */
  HD_FAULT_POSITION,  /* HEDDLE_BAD_DATA: an array does not have it; detail = its number */
  HD_FAULT_ID,        /* HEDDLE_BAD_DATA: no group has it; detail = its number */
  HD_FAULT_NO_WEIGHT, /* HEDDLE_BAD_DATA: negative or no number; detail = its number */
  HD_FAULT_WEIGHTLESS /* HEDDLE_EMPTY: the sum of weights is 0 */
};

#endif
