/* The definitions are in vector_functions.h. */
#include "vector_functions.h"
