/* order_tmpl.h - lesser_T and greater_T, lane by lane, for one integer type
 *
 * Parameter VEC_T. */
#define VEC_NAME_(name, t) name##_##t
#define VEC_NAME(name, t) VEC_NAME_(name, t)
#define VEC_V_(t) v##t
#define VEC_V(t) VEC_V_(t)

static inline VEC_V(VEC_T) VEC_NAME(lesser, VEC_T)(VEC_V(VEC_T) a, VEC_V(VEC_T) b) {
  VEC_V(VEC_T) take_b = (VEC_V(VEC_T))(b < a);
  return (take_b & b) | (~take_b & a);
}

static inline VEC_V(VEC_T) VEC_NAME(greater, VEC_T)(VEC_V(VEC_T) a, VEC_V(VEC_T) b) {
  VEC_V(VEC_T) take_b = (VEC_V(VEC_T))(b > a);
  return (take_b & b) | (~take_b & a);
}

#undef VEC_NAME_
#undef VEC_NAME
#undef VEC_V_
#undef VEC_V
