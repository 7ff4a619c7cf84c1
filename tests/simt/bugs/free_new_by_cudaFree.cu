// find: invalid-free
// cudaFree of memory from new, in a program that has nothing else of C++'s library.
// Fixed: delete alone.
int main() {
  float *p = new float[16];
#ifndef FIXED
  cudaFree(p); // BUG
#endif
  delete[] p;
}
