"""Device functions say who has to take part, and kernels compare numbers of enumerations for equality alone."""
import re

import pytest
import tree

TEXTS = [p for p in tree.source_files()
         if p.is_relative_to("src/kernels") or p.is_relative_to("src/order/device")]
# Whoever is there votes: nobody has to be.
ARRIVE = re.compile(r"\b__(?:syncthreads\w*|syncwarp|(?:shfl|ballot|any|all|reduce|match)\w*_sync)\("
                    r"(?!__activemask)")
BLOCK = re.compile(r"\b__syncthreads\w*\(")
DEFINITION = re.compile(r"^HD_DEVICE\s[\w\s*]*?(\w+)\([^;{]*?\)\s*\{", re.MULTILINE)
PREFIX = {"block": ("block_", "grid_"), "warp": ("warp_", "block_", "grid_")}
NUMBER = r"(?:HEDDLE_(?:TYPE|OP|VERB|WEIGHT|OUT|KEY)|OP_CLASS|TOTAL_KIND|HD_(?:OP|TOTAL|CLASS|FAMILY)_[A-Z0-9]+)"
RANGE = re.compile(rf"{NUMBER}\s*[<>]|[<>]=?\s*{NUMBER}\b")


def definitions(texts):
    """[(name, body)] of all device functions; a name may have several, one a branch of an #if."""
    found = []
    for text in map(tree.without_comments, texts):
        for match in DEFINITION.finditer(text):
            depth, at = 1, match.end()
            while depth and at < len(text):
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
            found.append((match.group(1), text[match.end():at]))
    return found


def reaching(found, start):
    """The functions that have `start` in them or call one that has."""
    names = {name for name, body in found if start.search(body)}
    calls = [(name, set(re.findall(r"\b(\w+)\(", body))) for name, body in found]
    while True:
        more = {name for name, called in calls if called & names} - names
        if not more:
            return names
        names |= more


def unnamed(texts):
    """Functions that threads must reach together and whose names do not say so."""
    found = definitions(texts)
    block, warp = reaching(found, BLOCK), reaching(found, ARRIVE)
    return sorted({name for name in block if not name.startswith(PREFIX["block"])}
                  | {name for name in warp if not name.startswith(PREFIX["warp"])})


def test_names_say_who_takes_part():
    texts = [tree.read(path) for path in TEXTS]
    assert len(definitions(texts)) > 300
    assert not unnamed(texts)


@pytest.mark.parametrize("name, body, says", [
    ("sum", "return __shfl_xor_sync(HD_ALL, t, 1);", False),
    ("warp_sum", "return __shfl_xor_sync(HD_ALL, t, 1);", True),
    ("thread_sum", "return warp_tree(t, 5);", False),
    ("warp_share", "__syncthreads();", False),
    ("block_share", "__syncthreads();", True),
    ("add", "u32 lanes = __match_any_sync(__activemask(), counter);", True)])
def test_a_name_that_does_not_say_it_is_found(name, body, says):
    text = ("HD_DEVICE total warp_tree(total t, int n) { return __shfl_sync(HD_ALL, t, n); }\n"
            f"HD_DEVICE total {name}(total t) {{\n  if (t) {{ t = 0; }}\n  {body}\n}}\n")
    assert (unnamed([text]) == []) == says


def test_numbers_are_compared_for_equality_alone():
    assert not [f"{path}: {match.group(0)}" for path in TEXTS
                for match in RANGE.finditer(tree.without_comments(tree.read(path)))]
    assert RANGE.search("#if HEDDLE_OP >= HD_OP_AND") and RANGE.search("x < HD_TOTAL_ARG")
    assert not RANGE.search("#if HEDDLE_OP == HD_OP_AND")
