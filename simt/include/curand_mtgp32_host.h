/* Not part of simt: MTGP32 states in device code. */
#error "simt has no MTGP32 generator states; XORWOW, Philox and MRG32k3a are in curand_kernel.h"
