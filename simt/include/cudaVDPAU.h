#error simt has no VDPAU interoperation (cudaVDPAU.h)
