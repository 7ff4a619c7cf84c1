// Helpers that course programs come with: an error check that exits, a still picture, a film.
#ifndef PASTE_PICTURES_HPP
#define PASTE_PICTURES_HPP

#include "cuda.h"
#include "cuda_runtime.h"
#include <stdio.h>
#include <stdlib.h>

static inline void stop_on_error(cudaError_t code, char const *file, int line) {
  if (code == cudaSuccess) return;
  fprintf(stderr, "%s:%d: CUDA error %d: %s\n", file, line, (int)code, cudaGetErrorString(code));
  exit(1);
}
#define MUST(call) (stop_on_error((call), __FILE__, __LINE__))

class Picture {
public:
  Picture(int w, int h) : w_(w), h_(h), rgba_(new unsigned char[4 * w * h]()) {}
  ~Picture() { delete[] rgba_; }
  unsigned char *bytes(void) { return rgba_; }
  size_t size(void) const { return (size_t)4 * w_ * h_; }
  unsigned char at(int x, int y, int channel) const { return rgba_[4 * (y * w_ + x) + channel]; }
  long sum(int channel) const {
    long s = 0;
    for (int i = channel; i < 4 * w_ * h_; i += 4) s += rgba_[i];
    return s;
  }
  // Stands for the window that a desktop would open; the callback tidies up when it closes.
  void show(void (*closed)(void *), void *user) {
    printf("[%d x %d]\n", w_, h_);
    if (closed) closed(user);
  }

private:
  Picture(Picture const &);
  int w_, h_;
  unsigned char *rgba_;
};

struct Film {
  typedef void (*Frame)(void *user, int tick);
  typedef void (*End)(void *user);

  Picture picture;
  void *user;
  Film(int w, int h, void *u) : picture(w, h), user(u) { current() = this; }
  static Film *&current(void) {
    static Film *one = NULL;
    return one;
  }
  void loop(Frame frame, End end, int ticks) {
    for (int t = 0; t < ticks; ++t) current()->step(frame, t);
    end(user);
  }

private:
  void step(Frame f, int t) { (*f)(user, t); }
};

#endif
