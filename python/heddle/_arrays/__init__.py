"""Callers' arrays: of any library, as elements of the library's types.

operand.py is the entrance: `operand(x)` asks NumPy, DLPack (dlpack.py), Arrow (arrow.py) and the
interfaces of devices (device_array.py) for the memory of an object, and gives an Operand
(elements.py), whose results become the caller's kind of array again (kinds.py). columns.py has
columns of data frames for the fast path. pieces.py cuts an array that is not to be copied, bools.py
looks for bytes other than 0 and 1.
"""
