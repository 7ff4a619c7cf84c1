/* each_type_one.h - one turn of the loop in each_type.h: the template, if EACH_TYPE is meant */
#if EACH_WHERE
#include EACH_TEMPLATE
#endif
#undef EACH_TYPE
