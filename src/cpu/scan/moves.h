/* moves.h - which lane goes where: index lists for __builtin_shufflevector, by lane count
 *
 * The names are those of the moves in move_tmpl.h. IN16: by bits of a lane and lanes; OF16: 16 bytes
 * are two lanes of 64 bits. */
#ifndef HEDDLE_CPU_SCAN_MOVES_H
#define HEDDLE_CPU_SCAN_MOVES_H

#define SCAN_EVEN_IN16_32_4 0, 2, 4, 6
#define SCAN_ODD_IN16_32_4 1, 3, 5, 7
#define SCAN_LOW_IN16_32_4 0, 4, 1, 5
#define SCAN_HIGH_IN16_32_4 2, 6, 3, 7

#define SCAN_EVEN_IN16_32_8 0, 2, 8, 10, 4, 6, 12, 14
#define SCAN_ODD_IN16_32_8 1, 3, 9, 11, 5, 7, 13, 15
#define SCAN_LOW_IN16_32_8 0, 8, 1, 9, 4, 12, 5, 13
#define SCAN_HIGH_IN16_32_8 2, 10, 3, 11, 6, 14, 7, 15

#define SCAN_EVEN_IN16_32_16 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30
#define SCAN_ODD_IN16_32_16 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31
#define SCAN_LOW_IN16_32_16 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define SCAN_HIGH_IN16_32_16 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31

#define SCAN_EVEN_IN16_64_2 0, 2
#define SCAN_ODD_IN16_64_2 1, 3
#define SCAN_LOW_IN16_64_2 0, 2
#define SCAN_HIGH_IN16_64_2 1, 3

#define SCAN_EVEN_IN16_64_4 0, 4, 2, 6
#define SCAN_ODD_IN16_64_4 1, 5, 3, 7
#define SCAN_LOW_IN16_64_4 0, 4, 2, 6
#define SCAN_HIGH_IN16_64_4 1, 5, 3, 7

#define SCAN_EVEN_IN16_64_8 0, 8, 2, 10, 4, 12, 6, 14
#define SCAN_ODD_IN16_64_8 1, 9, 3, 11, 5, 13, 7, 15
#define SCAN_LOW_IN16_64_8 0, 8, 2, 10, 4, 12, 6, 14
#define SCAN_HIGH_IN16_64_8 1, 9, 3, 11, 5, 13, 7, 15

#define SCAN_EVEN_OF16_4 0, 1, 4, 5
#define SCAN_ODD_OF16_4 2, 3, 6, 7
#define SCAN_LOW_OF16_4 0, 1, 4, 5
#define SCAN_HIGH_OF16_4 2, 3, 6, 7

#define SCAN_EVEN_OF16_8 0, 1, 4, 5, 8, 9, 12, 13
#define SCAN_ODD_OF16_8 2, 3, 6, 7, 10, 11, 14, 15
#define SCAN_LOW_OF16_8 0, 1, 8, 9, 2, 3, 10, 11
#define SCAN_HIGH_OF16_8 4, 5, 12, 13, 6, 7, 14, 15

#define SCAN_EVEN_2 0, 2
#define SCAN_ODD_2 1, 3
#define SCAN_LOW_2 0, 2
#define SCAN_HIGH_2 1, 3
#define SCAN_NEXT_2 1, 2
#define SCAN_SWAP1_2 1, 0
#define SCAN_RIGHT1_2 0, 3
#define SCAN_UP1_2 0, 2
#define SCAN_LAST_2 1, 1

#define SCAN_EVEN_4 0, 2, 4, 6
#define SCAN_ODD_4 1, 3, 5, 7
#define SCAN_LOW_4 0, 4, 1, 5
#define SCAN_HIGH_4 2, 6, 3, 7
#define SCAN_NEXT_4 1, 2, 3, 4
#define SCAN_SWAP1_4 1, 0, 3, 2
#define SCAN_RIGHT1_4 0, 5, 2, 7
#define SCAN_SWAP2_4 2, 3, 0, 1
#define SCAN_RIGHT2_4 0, 1, 6, 7
#define SCAN_UP1_4 0, 4, 5, 6
#define SCAN_UP2_4 0, 1, 4, 5
#define SCAN_LAST_4 3, 3, 3, 3

#define SCAN_EVEN_8 0, 2, 4, 6, 8, 10, 12, 14
#define SCAN_ODD_8 1, 3, 5, 7, 9, 11, 13, 15
#define SCAN_LOW_8 0, 8, 1, 9, 2, 10, 3, 11
#define SCAN_HIGH_8 4, 12, 5, 13, 6, 14, 7, 15
#define SCAN_NEXT_8 1, 2, 3, 4, 5, 6, 7, 8
#define SCAN_SWAP1_8 1, 0, 3, 2, 5, 4, 7, 6
#define SCAN_RIGHT1_8 0, 9, 2, 11, 4, 13, 6, 15
#define SCAN_SWAP2_8 2, 3, 0, 1, 6, 7, 4, 5
#define SCAN_RIGHT2_8 0, 1, 10, 11, 4, 5, 14, 15
#define SCAN_SWAP4_8 4, 5, 6, 7, 0, 1, 2, 3
#define SCAN_RIGHT4_8 0, 1, 2, 3, 12, 13, 14, 15
#define SCAN_UP1_8 0, 8, 9, 10, 11, 12, 13, 14
#define SCAN_UP2_8 0, 1, 8, 9, 10, 11, 12, 13
#define SCAN_UP4_8 0, 1, 2, 3, 8, 9, 10, 11
#define SCAN_LAST_8 7, 7, 7, 7, 7, 7, 7, 7

#define SCAN_EVEN_16 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define SCAN_ODD_16 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define SCAN_LOW_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define SCAN_HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define SCAN_NEXT_16 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#define SCAN_SWAP1_16 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#define SCAN_RIGHT1_16 0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14, 31
#define SCAN_SWAP2_16 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
#define SCAN_RIGHT2_16 0, 1, 18, 19, 4, 5, 22, 23, 8, 9, 26, 27, 12, 13, 30, 31
#define SCAN_SWAP4_16 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11
#define SCAN_RIGHT4_16 0, 1, 2, 3, 20, 21, 22, 23, 8, 9, 10, 11, 28, 29, 30, 31
#define SCAN_SWAP8_16 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7
#define SCAN_RIGHT8_16 0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31
#define SCAN_UP1_16 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define SCAN_UP2_16 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
#define SCAN_UP4_16 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
#define SCAN_UP8_16 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define SCAN_LAST_16 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15

#endif
