/* The boundary between the CUDA file and the C++ file. */
#ifndef API_H
#define API_H
#ifdef __cplusplus
extern "C" {
#endif
int cuda_double(int *host, int n);
void report_progress(const char *what, int n);
int run_host_part(void);
#ifdef __cplusplus
}
#endif
#endif
