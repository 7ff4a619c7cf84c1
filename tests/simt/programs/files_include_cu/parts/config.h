/* Sizes that all parts share. */
#ifndef CONFIG_H
#define CONFIG_H
#define COUNT 1000
#define THREADS 128
#define BLOCKS ((COUNT + THREADS - 1) / THREADS)
#endif
