static const struct hd_scan_kernels scan_kernels = {0};
