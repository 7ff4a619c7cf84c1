/* Not part of simt. */
#error "simt has no cuRAND distributions by histogram; curand_poisson is in curand_kernel.h"
