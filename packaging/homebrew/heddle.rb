# A formula for Homebrew on Linux: brew install --HEAD ./packaging/homebrew/heddle.rb in a checkout.
class Heddle < Formula
  desc "Data-parallel primitives with the same bits everywhere"
  license "Apache-2.0"
  # The checkout that this file lies in.
  head "file://#{File.expand_path("../..", __dir__)}", using: :git

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => [:build, :test]
  depends_on "scdoc" => :build
  depends_on "gcc"
  depends_on "libpng"
  depends_on :linux
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build/brew", "-G", "Ninja", *std_cmake_args,
           "-DHEDDLE_TESTS=OFF", "-DHEDDLE_PYTHON_PACKAGE=OFF", "-DHEDDLE_MPI=OFF"
    system "cmake", "--build", "build/brew"
    system "cmake", "--install", "build/brew"
  end

  test do
    assert_equal "6.5", pipe_output("#{bin}/heddle sum", "1\n2\n3.5\n").strip
    (testpath/"version.c").write <<~C
      #include <heddle.h>
      #include <stdio.h>
      int main(void) { return puts(heddle_version_string()) < 0; }
    C
    flags = shell_output("pkgconf --cflags --libs heddle").split
    system ENV.cc, "version.c", "-o", "version", *flags, "-Wl,-rpath,#{lib}"
    assert_match(/^\d+\.\d+\.\d+$/, shell_output("./version"))
  end
end
