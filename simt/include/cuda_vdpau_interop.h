#error simt has no VDPAU interoperation (cuda_vdpau_interop.h)
