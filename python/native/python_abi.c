/* python_abi.c - CPython's functions, found in the process by name */
#include "python_abi.h"

#include <dlfcn.h>
#include <string.h>

struct python_api python;

/* A function's address as dlsym gives it: ISO C has no conversion, POSIX has this one. */
static bool find(void *function, const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

bool python_abi_load(void) {
  return find(&python.get_buffer, "PyObject_GetBuffer") &&
         find(&python.release_buffer, "PyBuffer_Release") &&
         find(&python.save_thread, "PyEval_SaveThread") &&
         find(&python.restore_thread, "PyEval_RestoreThread") &&
         find(&python.ensure_thread, "PyGILState_Ensure") &&
         find(&python.release_thread, "PyGILState_Release") &&
         find(&python.check_signals, "PyErr_CheckSignals") &&
         find(&python.clear_error, "PyErr_Clear") && find(&python.has_error, "PyErr_Occurred") &&
         find(&python.take_error, "PyErr_Fetch") && find(&python.set_error, "PyErr_Restore") &&
         find(&python.from_double, "PyFloat_FromDouble") &&
         find(&python.from_signed, "PyLong_FromLongLong") &&
         find(&python.from_unsigned, "PyLong_FromUnsignedLongLong") &&
         find(&python.new_tuple, "PyTuple_New") && find(&python.put_in_tuple, "PyTuple_SetItem") &&
         find(&python.tuple_size, "PyTuple_Size") && find(&python.tuple_item, "PyTuple_GetItem") &&
         find(&python.as_long, "PyLong_AsLong") && find(&python.as_signed, "PyLong_AsLongLong") &&
         find(&python.yes, "_Py_TrueStruct") && find(&python.no, "_Py_FalseStruct") &&
         find(&python.float_type, "PyFloat_Type") && find(&python.type_of, "PyObject_Type") &&
         find(&python.as_double, "PyFloat_AsDouble") && find(&python.as_size, "PyLong_AsSize_t") &&
         find(&python.new_function, "PyCFunction_NewEx") && find(&python.none, "_Py_NoneStruct") &&
         find(&python.int_type, "PyLong_Type") && find(&python.tuple_type, "PyTuple_Type") &&
         find(&python.list_type, "PyList_Type") && find(&python.list_size, "PyList_Size") &&
         find(&python.list_item, "PyList_GetItem") &&
         find(&python.compare_text, "PyUnicode_CompareWithASCIIString") &&
         find(&python.text_type, "PyUnicode_Type") &&
         find(&python.is_capsule, "PyCapsule_IsValid") &&
         find(&python.capsule_pointer, "PyCapsule_GetPointer") &&
         find(&python.call, "PyObject_CallFunctionObjArgs") && find(&python.keep, "Py_IncRef") &&
         find(&python.drop, "Py_DecRef");
}
