"""Which files a run consists of, and how they are cut into pieces and read."""

from __future__ import annotations

import pyarrow.fs as fs
import pytest

from inspector.core.errors import FormatError, InspectorError, UsageError
from inspector.engine.reading import PieceLog, PieceReader
from inspector.engine.shards import cut, find_shards, parse_shards_option
from tests.engine.sharding import write_lines, write_parquet

LINES = [b'{"sent_id": %d, "mask": null}' % number for number in range(40)]


def read(source, megabytes=1.0):
    """Give the sent_id of every record of every piece."""
    return [
        [record.ids["sent_id"] for record in PieceReader(piece).records(PieceLog())]
        for piece in cut(find_shards(str(source)), megabytes=megabytes)
    ]


@pytest.mark.parametrize(("option", "expected"), [
    ("base=runs/*.jsonl", ("base", "runs/*.jsonl")),
    ("runs/base.parquet", ("base", "runs/base.parquet")),
    ("runs/base/", ("base", "runs/base/")),
    ("base=s3://bucket/a=1/*.parquet", ("base", "s3://bucket/a=1/*.parquet")),
    ("s3://bucket/a=1/base.parquet", ("base", "s3://bucket/a=1/base.parquet")),
])
def test_what_a_run_is_called(option, expected):
    assert parse_shards_option(option) == expected


def test_a_pattern_is_no_name():
    with pytest.raises(UsageError, match=r"runs/\*.jsonl does not say what the run is called. "
                                         r"Write --run NAME=runs/\*.jsonl."):
        parse_shards_option("runs/*.jsonl")


@pytest.mark.parametrize(("pattern", "is_deep"), [
    ("a-*.jsonl", False), ("a-?.jsonl", False), ("**/a-0.jsonl", True), ("*/a-0.jsonl", True),
])
def test_folders_are_looked_into_only_where_the_pattern_reaches(
    tmp_path, monkeypatch, pattern, is_deep
):
    asked = []
    selector = fs.FileSelector

    def noted(path, **options):
        asked.append(options["recursive"])
        return selector(path, **options)

    monkeypatch.setattr(fs, "FileSelector", noted)
    for folder in (tmp_path, tmp_path / "b"):
        write_lines(folder, LINES, shards=1)
    find_shards(f"{tmp_path}/{pattern.replace('a-', 'part-00')}")
    assert asked == [is_deep]


def test_patterns_and_folders(tmp_path):
    write_lines(tmp_path / "a", LINES, shards=2)
    write_lines(tmp_path / "a" / "deep", LINES, shards=1)
    write_lines(tmp_path / "a" / "_hidden", LINES, shards=1)
    (tmp_path / "a" / "notes.txt").write_text("not predictions")

    def names(source):
        prefix = str(tmp_path)
        return [s.source[s.source.index(prefix) + len(prefix):] for s in find_shards(source)]

    two = ["/a/part-000.jsonl", "/a/part-001.jsonl"]
    assert names(f"{tmp_path}/a") == ["/a/deep/part-000.jsonl", *two]
    assert names(f"{tmp_path}/a/*.jsonl") == two
    assert names(f"{tmp_path}/a/part-00[!0].jsonl") == two[1:]
    assert names(f"{tmp_path}/**/part-000.jsonl") == [
        "/a/_hidden/part-000.jsonl", "/a/deep/part-000.jsonl", two[0]
    ]
    assert names(f"{tmp_path}/a**.jsonl") == ["/a/_hidden/part-000.jsonl", *names(f"{tmp_path}/a")]
    assert names(f"{tmp_path}/?/deep/*.jsonl") == ["/a/deep/part-000.jsonl"]
    assert names(f"file://{tmp_path}/a/part-*.jsonl") == two
    assert find_shards(f"file://{tmp_path}/a/part-000.jsonl")[0].name == "part-000.jsonl"


def test_an_address_with_a_space_is_read(tmp_path):
    write_lines(tmp_path / "a b", LINES, shards=2)
    source = f"file://{tmp_path}/a%20b"
    assert [shard.name for shard in find_shards(source)] == ["part-000.jsonl", "part-001.jsonl"]
    assert sum(read(source), []) == [str(number) for number in range(40)]


@pytest.mark.parametrize(("source", "said"), [
    ("{}/none*.jsonl", "There are no predictions at .*none\\*.jsonl: no file fits"),
    ("{}/notes.txt", "notes.txt is no shard: its name must end in .jsonl, .ndjson, .parquet. "
                     "Other formats are scored on one machine, without --engine"),
    ("http://example.org/x.jsonl", "is no address that can be read here .* Choose one of: s3://"),
    ("s3://key:word@bucket/x.jsonl", "An address of predictions may hold no key or password"),
    ("{}/[z-a].jsonl", "is no pattern of files"),
])
def test_what_cannot_be_found(source, said, tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(UsageError, match=said):
        find_shards(source.format(tmp_path))


def test_every_line_is_in_one_piece_wherever_it_is_cut(tmp_path):
    path = write_lines(tmp_path, LINES, shards=1)[0]
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    size = path.stat().st_size
    for most in (1, 2, 7, 29, 30, 31, 100, size - 1, size, size + 1):
        found = read(path, most / 1e6)
        assert len(found) == -(-size // most)
        assert sum(found, []) == [str(number) for number in range(40)]


def test_row_groups_of_parquet_are_put_together(tmp_path):
    path = write_parquet(tmp_path, LINES, shards=1)[0]
    groups = [list(map(str, range(begin, min(begin + 7, 40)))) for begin in range(0, 40, 7)]
    assert read(path, 1e-6) == groups
    assert read(path) == [sum(groups, [])]
    pieces = cut(find_shards(str(path)), megabytes=1e-6)
    assert [piece.first for piece in pieces] == [1, 8, 15, 22, 29, 36]


def test_a_shard_that_changes_meanwhile_is_refused(tmp_path):
    path = write_lines(tmp_path, LINES, shards=1)[0]
    pieces = cut(find_shards(str(path)), megabytes=1.0)
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(FormatError, match="part-000.jsonl: is not as it was when the files were "
                                          "listed: it was written to meanwhile. Score again"):
        list(PieceReader(pieces[0]).records(PieceLog()))


def test_a_shard_that_ends_in_the_middle_of_a_line(tmp_path):
    path = write_lines(tmp_path, LINES, shards=1)[0]
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FormatError, match="part-000.jsonl: is cut off in line 40. Write the shard"):
        read(path)


@pytest.mark.parametrize("megabytes", [1.0, 1e-6])
def test_broken_parquet(megabytes, tmp_path):
    path = write_parquet(tmp_path, LINES, shards=1)[0]
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InspectorError, match="part-000.parquet: cannot be read as parquet .* Is "
                                             "the file cut off?"):
        read(path, megabytes)


def test_parquet_without_masks(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"sent_id": [1]}), tmp_path / "x.parquet")
    with pytest.raises(FormatError, match="x.parquet: has no column 'mask'. Expected the columns "
                                          "mask, and example_id, sent_id"):
        read(tmp_path / "x.parquet")
