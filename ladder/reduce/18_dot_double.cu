/* Reduce 18: dot product in double
 *
 * Idea     the source of rung 17, compiled with REAL as double
 * Cost     as rung 17, twice the traffic
 * Shows    25,723,564,731,392 exactly: it needs 45 bits, a double has 53
 * Source   rung 17
 *
 * //! title: dot of 33 x 1024 in double
 * //! expect: right
 */
#undef REAL
#define REAL double
#define DOT_RUNG "reduce/18_dot_double.cu"
#include "17_dot.cu"
