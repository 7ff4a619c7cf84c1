// Unbalanced text: a message, not a crash of the rewriter.
// expect: compile error, stderr "bad_syntax.cu"
__global__ void k(int *p) {
  if (p) {
    *p = 1;
  }

  int main() { k < <<1, 1>>(0); }
