// A class with its kernels split over header, implementation and main; pimpl, static members, operators.
// expect: pass
// flags: -std=c++17
#include "image.h"
#include <iostream>

int main(int argc, char *argv[]) {
  Image img(33, 17);
  img.fill([](int x, int y) { return static_cast<float>(x * y); });
  Image copy = img;
  copy *= 2.0f;
  copy += img;
  const float mean = copy.mean();
  bool ok = Image::live() == 2;
  {
    Image third(std::move(copy));
    ok = ok && third.at(5, 7) == 105.0f && Image::live() == 2;
  }
  ok = ok && Image::live() == 1;
  std::cout << "mean " << mean << '\n';
  ok = ok && mean > 383.9f && mean < 384.1f && argc == 1 && argv[0] != nullptr;
  std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
