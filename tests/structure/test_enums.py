"""Nothing depends on the order of an enumeration's numbers: they are compared for equality alone.

Lists and predicates come from the tables (src/order/types.def, src/order/ops.def), so that a new type or
operator may have any number. Enumerations are those with a name in heddle.h and in headers of src;
nameless ones hold sizes. What is compared while compiling is the size of a table: _Static_assert may.
"""
import ast
import re

import pytest
import tree

PARTS = ("include", "src", "cli", "python", "ladder", "bench", "tests")
# Counts of the enumerators before them, and no alternatives themselves.
COUNTS = {"HD_SCAN_LANES", "HD_REGIONS", "HD_ENV_COUNT"}
# Loops over numbers that ask which of them are types and operators.
ASKS = {"src/host/status.c", "python/native/fast.c", "tests/c/test_result_type.c",
        "tests/cli_unit/test_types.c"}
OPERATORS = r"(?:<<|>>|<=|>=|<|(?<!-)>|\+|-(?!>)|\*|/|%)"


def enumerations():
    """{C's name of the type: its enumerators} of every enumeration that has a name."""
    found = {}
    headers = [p for p in tree.c_files() if p.suffix == ".h" and p.parts[0] in ("include", "src")]
    for path in headers:
        code = tree.without_comments(tree.read(path))
        for name, body in re.findall(r"\benum (\w+) {([^}]*)}", code):
            type_name = name if re.search(rf"}}\s*{name}\s*;", code) else f"enum {name}"
            found[type_name] = [word for part in body.split(",")
                                for word in re.findall(r"^\s*(\w+)", part) if word not in COUNTS]
    return found


ENUMERATIONS = enumerations()


def names():
    """Every enumerator, and what kernels call types and operators."""
    public = [n.removeprefix("HEDDLE_") for n in ENUMERATIONS["heddle_type"]]
    operators = [n.removeprefix("HEDDLE_") for n in ENUMERATIONS["heddle_op"]]
    return {n for each in ENUMERATIONS.values() for n in each} | {f"HD_{n}" for n in public} \
        | {f"HD_OP_{n}" for n in operators}


NAME = rf"(?:{'|'.join(sorted(names(), key=len, reverse=True))})\b"
ORDERED = re.compile(rf"{OPERATORS}=?\s*(?:\(\w+\)\s*)?\(?\b{NAME}|\b{NAME}\)?\s*{OPERATORS}"
                     rf"|(?:\+\+|--)\s*{NAME}")
WALKED = re.compile(rf"\bfor\s*\([^;()]*=\s*(?:\(\w+\)\s*)?{NAME}[^;]*;[^;]*;[^;{{]*?(?:\+\+|--|[+-]=)")
COUNTED = re.compile(r"\bfor\s*\([\w ]*\b(\w+) = [^;]*;[^;]*;")
CASTS = "|".join(sorted(ENUMERATIONS))


def code_of(text):
    """Without comments and assertions; directives end with a semicolon."""
    code = re.sub(r"^(\s*#.*[^\\\n])$", r"\1;", tree.without_comments(text), flags=re.MULTILINE)
    return re.sub(r"_Static_assert\s*\(.*?\);", lambda m: re.sub(r"[^\n]", " ", m[0]), code,
                  flags=re.DOTALL)


def in_c(text, asks=False):
    """(line, what is written) of every place that counts on the order of an enumeration."""
    code = code_of(text)
    # `(op == HEDDLE_SUM) * 2` and `size_of(HEDDLE_F32) + 1` are arithmetic with something else.
    found = [m for m in ORDERED.finditer(code)
             if not (re.search(rf"{NAME}\)", m[0]) and not is_alone(code, m))]
    found += WALKED.finditer(code)
    for m in () if asks else COUNTED.finditer(code):
        rest = code[m.end():].split("\n}", 1)[0]
        body = "\n".join(rest.split("\n")[:25])
        if re.search(rf"\((?:{CASTS})\)\(?{m[1]}\b(?!\[)", body):
            found.append(m)
    return sorted({(code.count("\n", 0, m.start()) + 1, " ".join(m[0].split())) for m in found})


def is_alone(code, match):
    """Whether the parenthesis that is closed after an enumerator holds nothing else, or its cast."""
    before = code[:match.start() + match[0].index(")")]
    return re.search(r"[^\w]\s*\((?:\(\w+\)\s*)?\w+$", before) is not None


def in_python(text):
    """The same of Python, where constants are attributes of a module: n.SUM."""
    words = {n.removeprefix("HEDDLE_") for n in names()}

    def is_constant(node):
        return isinstance(node, ast.Attribute) and node.attr in words

    for node in ast.walk(ast.parse(text)):
        ordered = isinstance(node, ast.Compare) and \
            any(isinstance(o, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for o in node.ops) and \
            any(map(is_constant, [node.left, *node.comparators]))
        computed = isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.BitOr, ast.BitAnd)) \
            and (is_constant(node.left) or is_constant(node.right))
        if ordered or computed:
            yield node.lineno, ast.unparse(node)


def test_enumerations_are_read():
    assert {"heddle_status", "heddle_type", "heddle_op", "heddle_binning", "enum hd_plan_strategy",
            "enum hd_op_class"} <= set(ENUMERATIONS)
    assert {"HEDDLE_U8", "HEDDLE_F64", "HEDDLE_NAN_SKIP", "HEDDLE_BINS_EDGES", "HD_PLAN_SEARCH",
            "HD_FAULT_WEIGHT", "HD_OP_BITWISE", "HD_OP_SUM", "HD_F16"} <= names()


def test_no_number_of_an_enumeration_is_ordered():
    paths = [p for p in tree.source_files() if p.parts[0] in PARTS]
    found = [f"{path}:{line}: {said}" for path in paths
             for line, said in in_c(tree.read(path), asks=str(path) in ASKS)]
    found += [f"{path}:{line}: {said}" for path in tree.python_files()
              for line, said in in_python(tree.read(path))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", [
    "if (type >= HEDDLE_F16) {}", "if (HEDDLE_I8 <= type) {}", "a = HEDDLE_SUM + 1;",
    "a = op - HEDDLE_MIN;", "a = op - (int)HEDDLE_MIN;", "a = (HEDDLE_MIN) * 2;", "a = 12 % HEDDLE_F64;",
    "#if HEDDLE_TYPE > HD_I64", "#if HEDDLE_OP <= HD_OP_MAX", "if (s < HD_PLAN_EVEN) {}",
    "for (int op = HEDDLE_SUM; op != last; op++) f(op);",
    "for (int kind = 0; kind < 2; kind++) f((heddle_scan_kind)kind);",
    "for (int i = 1; i < 5; i++)\n  f((enum hd_plan_strategy)i);"])
def test_an_ordered_number_is_found(text):
    assert in_c(text)


@pytest.mark.parametrize("text", [
    "if (type == HEDDLE_F16) {}", "a = (op == HEDDLE_SUM) * 2;", "a = size_of(HEDDLE_F32) + 1;",
    "a = HD_MARK_PLUS | HD_MARK_NAN;", "table[HEDDLE_OP_CUSTOM] = 1;", "x->kind = HEDDLE_BINS_EVEN;",
    "#if HEDDLE_VERB == HD_DOT\n*a = 1;\n#endif",
    "_Static_assert((int)HEDDLE_CUSTOM < 14,\n \"a table\");", "/* from HEDDLE_U8 - a */", "a = \"< HEDDLE_U8\";",
    "for (size_t i = 0; i < op_count; i++) f(all_ops[i], (heddle_type)types[i]);"])
def test_equality_is_not(text):
    assert not in_c(text)


def test_an_ordered_number_is_found_in_python():
    assert list(in_python("a = op <= n.MAX")) and list(in_python("a = n.SUM + 1"))
    assert not list(in_python("a = op == n.MAX or flags | n.SUM"))


def test_the_lists_of_options_are_whole():
    """tests/c/lists.c has types and operators from the tables, and these by name."""
    text = tree.read("tests/c/lists.c")
    for name in ("heddle_nan", "heddle_scan_kind", "heddle_extreme", "heddle_binning"):
        missing = [n for n in ENUMERATIONS[name] if not re.search(rf"\b{n}\b", text)]
        assert not missing, f"tests/c/lists.c: {name}: {missing}"
