/* An image on the device behind a pointer to its implementation. */
#ifndef IMAGE_H
#define IMAGE_H

#include <functional>
#include <memory>

class Image {
public:
  Image(int w, int h);
  Image(const Image &);
  Image(Image &&) noexcept;
  ~Image();
  Image &operator*=(float s);
  Image &operator+=(const Image &o);
  void fill(const std::function<float(int, int)> &f);
  float at(int x, int y) const;
  float mean() const;
  static int live() { return live_; }

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  static int live_;
};

#endif
