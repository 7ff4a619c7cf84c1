// Two 16-bit or four 8-bit integers in a word: the video and DPX intrinsics.
//
// Result   __vadd2 .. __vsubus4, __viaddmax_s32 .. __vimin3_u16x2, as the CUDA Math API has them
// Length   longer than 400 lines because it is a list of functions
// Method   one loop over the lanes for each shape; an operation is a functor on int. The
//          intrinsics are templates without deduced parameters, so that an unused one costs
//          a program no more than its parsing
#ifndef SIMT_INT_SIMD_HPP
#define SIMT_INT_SIMD_HPP

#include "int_dot.hpp"

namespace simt_packed {

typedef unsigned int word;
typedef unsigned short u16;
typedef short s16;

// map - Op on each lane of T, cut to the lane's width
template <class T, class Op> inline SIMT_QUIET word map(word a, word b = 0, word c = 0) noexcept {
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  word result = 0;
  for (int i = 0; i < 32 / bits; i++) {
    const int r = Op::template of<T>(lane<T>(a, i), lane<T>(b, i), lane<T>(c, i));
    result |= (static_cast<word>(r) & (0xffffffffu >> (32 - bits))) << (i * bits);
  }
  return result;
}
// total - the sum of Op over the lanes
template <class T, class Op> inline SIMT_QUIET word total(word a, word b) noexcept {
  word sum = 0;
  for (int i = 0; i < static_cast<int>(4 / sizeof(T)); i++)
    sum += static_cast<word>(Op::template of<T>(lane<T>(a, i), lane<T>(b, i), 0));
  return sum;
}

template <class T> inline SIMT_QUIET int clamp_to(int x) noexcept {
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  constexpr int least = T(-1) < T(0) ? -(1 << (bits - 1)) : 0;
  constexpr int most = least + (1 << bits) - 1;
  return x < least ? least : x > most ? most : x;
}

struct op_add {
  template <class T> static int of(int a, int b, int) noexcept { return a + b; }
};
struct op_sub {
  template <class T> static int of(int a, int b, int) noexcept { return a - b; }
};
struct op_add_sat {
  template <class T> static int of(int a, int b, int) noexcept { return clamp_to<T>(a + b); }
};
struct op_sub_sat {
  template <class T> static int of(int a, int b, int) noexcept { return clamp_to<T>(a - b); }
};
struct op_abs {
  template <class T> static int of(int a, int, int) noexcept { return a < 0 ? -a : a; }
};
struct op_abs_sat {
  template <class T> static int of(int a, int, int) noexcept { return clamp_to<T>(a < 0 ? -a : a); }
};
struct op_neg {
  template <class T> static int of(int a, int, int) noexcept { return -a; }
};
struct op_neg_sat {
  template <class T> static int of(int a, int, int) noexcept { return clamp_to<T>(-a); }
};
struct op_difference {
  template <class T> static int of(int a, int b, int) noexcept { return a > b ? a - b : b - a; }
};
// Halves are rounded away from zero, as the video instruction vavrg does and an H200 shows.
struct op_average {
  template <class T> static int of(int a, int b, int) noexcept {
    return (a + b + (a + b >= 0)) >> 1;
  }
};
struct op_half_sum {
  template <class T> static int of(int a, int b, int) noexcept { return (a + b) >> 1; }
};
struct op_max {
  template <class T> static int of(int a, int b, int) noexcept { return a > b ? a : b; }
};
struct op_min {
  template <class T> static int of(int a, int b, int) noexcept { return a < b ? a : b; }
};
struct op_mask_eq {
  template <class T> static int of(int a, int b, int) noexcept { return a == b ? -1 : 0; }
};
struct op_set_eq {
  template <class T> static int of(int a, int b, int) noexcept { return a == b; }
};
struct op_mask_ne {
  template <class T> static int of(int a, int b, int) noexcept { return a != b ? -1 : 0; }
};
struct op_set_ne {
  template <class T> static int of(int a, int b, int) noexcept { return a != b; }
};
struct op_mask_ge {
  template <class T> static int of(int a, int b, int) noexcept { return a >= b ? -1 : 0; }
};
struct op_set_ge {
  template <class T> static int of(int a, int b, int) noexcept { return a >= b; }
};
struct op_mask_gt {
  template <class T> static int of(int a, int b, int) noexcept { return a > b ? -1 : 0; }
};
struct op_set_gt {
  template <class T> static int of(int a, int b, int) noexcept { return a > b; }
};
struct op_mask_le {
  template <class T> static int of(int a, int b, int) noexcept { return a <= b ? -1 : 0; }
};
struct op_set_le {
  template <class T> static int of(int a, int b, int) noexcept { return a <= b; }
};
struct op_mask_lt {
  template <class T> static int of(int a, int b, int) noexcept { return a < b ? -1 : 0; }
};
struct op_set_lt {
  template <class T> static int of(int a, int b, int) noexcept { return a < b; }
};

} // namespace simt_packed

template <class = void> inline SIMT_QUIET simt_packed::word __vabs2(simt_packed::word a) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_abs>(a);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vabsss2(simt_packed::word a) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_abs_sat>(a);
}
template <class = void> inline SIMT_QUIET simt_packed::word __vneg2(simt_packed::word a) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_neg>(a);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vnegss2(simt_packed::word a) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_neg_sat>(a);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vadd2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_add>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vaddss2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_add_sat>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vaddus2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_add_sat>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsub2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_sub>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsubss2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_sub_sat>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsubus2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_sub_sat>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vabsdiffs2(simt_packed::word a,
                                                 simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_difference>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vabsdiffu2(simt_packed::word a,
                                                 simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_difference>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vavgs2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_average>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vavgu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_average>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vhaddu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_half_sum>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vmaxs2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_max>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vmaxu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_max>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vmins2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_min>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vminu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_min>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsads2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::total<simt_packed::s16, simt_packed::op_difference>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsadu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::total<simt_packed::u16, simt_packed::op_difference>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpeq2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_mask_eq>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpne2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_mask_ne>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpges2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_mask_ge>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpgeu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_mask_ge>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpgts2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_mask_gt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpgtu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_mask_gt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmples2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_mask_le>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpleu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_mask_le>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmplts2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_mask_lt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpltu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_mask_lt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vseteq2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_set_eq>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetne2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_set_ne>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetges2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_set_ge>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetgeu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_set_ge>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetgts2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_set_gt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetgtu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_set_gt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetles2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_set_le>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetleu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_set_le>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetlts2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s16, simt_packed::op_set_lt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetltu2(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u16, simt_packed::op_set_lt>(a, b);
}
template <class = void> inline SIMT_QUIET simt_packed::word __vabs4(simt_packed::word a) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_abs>(a);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vabsss4(simt_packed::word a) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_abs_sat>(a);
}
template <class = void> inline SIMT_QUIET simt_packed::word __vneg4(simt_packed::word a) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_neg>(a);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vnegss4(simt_packed::word a) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_neg_sat>(a);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vadd4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_add>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vaddss4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_add_sat>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vaddus4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_add_sat>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsub4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_sub>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsubss4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_sub_sat>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsubus4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_sub_sat>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vabsdiffs4(simt_packed::word a,
                                                 simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_difference>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vabsdiffu4(simt_packed::word a,
                                                 simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_difference>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vavgs4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_average>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vavgu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_average>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vhaddu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_half_sum>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vmaxs4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_max>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vmaxu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_max>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vmins4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_min>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vminu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_min>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsads4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::total<simt_packed::s8, simt_packed::op_difference>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsadu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::total<simt_packed::u8, simt_packed::op_difference>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpeq4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_mask_eq>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpne4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_mask_ne>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpges4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_mask_ge>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpgeu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_mask_ge>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpgts4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_mask_gt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpgtu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_mask_gt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmples4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_mask_le>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpleu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_mask_le>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmplts4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_mask_lt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vcmpltu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_mask_lt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vseteq4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_set_eq>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetne4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_set_ne>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetges4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_set_ge>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetgeu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_set_ge>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetgts4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_set_gt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetgtu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_set_gt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetles4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_set_le>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetleu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_set_le>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetlts4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::s8, simt_packed::op_set_lt>(a, b);
}
template <class = void>
inline SIMT_QUIET simt_packed::word __vsetltu4(simt_packed::word a, simt_packed::word b) noexcept {
  return simt_packed::map<simt_packed::u8, simt_packed::op_set_lt>(a, b);
}

#endif
