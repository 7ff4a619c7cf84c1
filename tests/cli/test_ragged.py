"""Lines with more fields than the first: an error where the last column is wanted, unless what is beyond is empty."""

import pytest

WHOLE = [("sum", "-c", "b"), ("mean", "-c", "a,b"), ("group", "-k", "a", "sum:b"), ("describe",), ("convert", "--to", "csv"),
         ("convert", "--to", "jsonl"), ("hist", "-c", "b"), ("quantile", "0.5", "-c", "b"), ("sum", "-c", "b", "--where", "a > 0"),
         ("count", "--distinct", "-c", "b"), ("corr", "-c", "a,b"), ("box", "-c", "b", "--by", "a")]


@pytest.mark.parametrize("command", WHOLE, ids=" ".join)
@pytest.mark.parametrize("extra", ["5,6,7", '5,"6",7', "5,6,,7", '5,6,"7"', "5,6, 7 "])
@pytest.mark.parametrize("rows", [3, 200_000])
def test_too_many_columns(heddle, command, extra, rows):
    if rows > 3 and extra != "5,6,7" and command[0] != "group":
        return
    text = "a,b\n" + "1,2\n3,4\n9,8\n" * (rows // 3) + extra + "\n1,2\n"
    message = heddle(*command, stdin=text.encode(), code=1).stderr.decode()
    at = extra.index("7") + 1 - extra.count('"7"')
    assert f":{rows // 3 * 3 + 2}:{at}: the line has too many columns; each line has as many as the first" in message


@pytest.mark.parametrize("command", WHOLE, ids=" ".join)
def test_empty_fields_beyond_are_none(heddle, command):
    plain, ended = b"a,b\n1,2\n3,5\n2,7\n", b"a,b\n1,2,\n3,5 , ,\n2,7\n"
    assert heddle(*command, stdin=ended).stdout == heddle(*command, stdin=plain).stdout
    assert heddle(*command, stdin=ended.replace(b"\n", b"\r\n")).stdout == heddle(*command, stdin=plain).stdout


def test_bad_lines_are_passed_over(heddle):
    text = b"a,b\n1,2\n3,4,5\n5,6\n"
    for command, expected in ((("sum", "-c", "b"), b"8\n"), (("group", "-k", "b", "sum:a", "--csv"), b"b,sum:a\n2,1\n6,5\n")):
        done = heddle(*command, "--skip-bad", stdin=text)
        assert done.stdout == expected and b"1 bad line" in done.stderr


def test_what_is_not_asked_for_is_not_judged(heddle):
    text = b"a,b\n1,2\n3,4,5\n"
    assert heddle.text("sum", "-c", "a", stdin=text) == "4\n"
    assert heddle.text("group", "-k", "a", "count", "--csv", stdin=text) == "a,count\n1,1\n3,1\n"
    for command in (("select", "b > 0"), ("sort", "-k", "b"), ("uniq", "-k", "b")):
        assert heddle(*command, stdin=text).stdout == text
    assert heddle.text("sum", "-c", "2", "-d", "space", "--no-header", stdin=b"x 1\ny 2 or more\n") == "3\n"
