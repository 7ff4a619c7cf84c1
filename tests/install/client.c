/* client.c - what a user's program does first; valid as C11 and as C++ */
#include <stdio.h>

#include <heddle.h>

int main(void) {
  heddle_context *ctx;
  const float x[] = {1, 2, 3, 4};
  float sum = 0;
  heddle_status status = heddle_open("cpu", &ctx);
  if (status == HEDDLE_OK) status = heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, 4, &sum, NULL);
  if (status != HEDDLE_OK) return fprintf(stderr, "%s\n", heddle_message()), 1;
  heddle_close(ctx);
  return printf("%s %.9g\n", heddle_version_string(), (double)sum) < 0;
}
