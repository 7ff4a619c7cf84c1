/* The shared library. */
#pragma once
int flip(bool with_barrier);
