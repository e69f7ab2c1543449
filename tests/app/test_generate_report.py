from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from made_results import FINDINGS, failure, made, result, summary

from unitcraft.app.generate import generate_report
from unitcraft.suite.suite_figures import MutantFigures

CWD = Path("/somewhere")


def test_table_has_a_row_for_each_target_and_totals():
    shown = generate_report.table(
        summary(
            result(made(), path="/somewhere/tests/test_signs.py"),
            result(made("bank", tests=12, branches=3), stored=True, path="/t.py"),
        ),
        CWD,
    )
    assert shown == (
        "target  tests  branches       lines  seconds  file\n"
        "signs       1  3/4  75%    5/5 100%      1.2  tests/test_signs.py\n"
        "bank       12  3/3 100%    5/5 100%   stored  /t.py\n"
        "all        13  6/7  85%  10/10 100%      1.2"
    )  # fmt: skip


def test_one_target_needs_no_totals():
    assert len(generate_report.table(summary(result(made())), CWD).splitlines()) == 2


def test_module_without_branches_shows_a_dash():
    shown = generate_report.table(summary(result(made(branches=0, branches_covered=0))), CWD)
    assert shown.splitlines()[1].split()[2] == "-"


def test_full_report_spells_out_some_findings_and_counts_the_rest():
    shown = generate_report.full(summary(result(made(findings=FINDINGS))), CWD)
    assert "Not tested in signs:\n  UC509 branch not reached\n" in shown
    assert shown.count("was not reached") == generate_report.SPELLED_OUT
    assert f"and {6 - generate_report.SPELLED_OUT} more" in shown


def test_verbose_report_spells_out_all():
    shown = generate_report.full(summary(result(made(findings=FINDINGS))), CWD, everything=True)
    assert shown.count("was not reached") == 6
    assert "more (" not in shown


def test_truncated_run_is_called_irreproducible():
    shown = generate_report.full(summary(result(made(truncated=True))), CWD)
    assert (
        "UC505 a bound of time ended the work on signs: another run may give another suite" in shown
    )


def test_kept_tests_are_named():
    shown = generate_report.full(summary(result(made(), kept=("test_mine",))), CWD)
    assert shown.endswith(
        "Kept as edited in signs: test_mine.\n"
        "The figures of signs are those of the suite as it was made."
    )


def test_a_file_that_fails_where_it_lives_is_named():
    one = result(made())
    failed = replace(one, delivered=replace(one.delivered, failing=("(the whole file: Boom)",)))
    shown = generate_report.full(summary(failed), CWD)
    assert shown.endswith("Not confirmed with the conftest of signs: (the whole file: Boom).")


def test_targets_that_failed_are_in_the_table_and_counted():
    failures = failure("bank"), failure("lost")
    shown = generate_report.full(summary(result(made()), failures=failures), CWD).splitlines()
    assert [line.split()[0] for line in shown[1:4]] == ["signs", "bank", "lost"]
    assert shown[2].endswith("[target-not-found]")
    assert shown[-1] == "2 of 3 targets failed."
    assert generate_report.full(summary(failures=failures[:1]), CWD) == ""


def test_file_that_does_not_parse_is_named():
    shown = generate_report.full(summary(result(made(), kept=("*",))), CWD)
    assert shown.endswith("tests/test_signs.py is not valid Python: left as it is.")


def test_empty_modules_are_named():
    shown = generate_report.full(summary(result(made()), empty=(failure("shop"),)), CWD)
    assert shown.endswith("Nothing to test in shop.")


def test_concise_report_has_one_line_for_each_thing():
    shown = generate_report.concise(
        summary(result(made(findings=FINDINGS[:1])), failures=(failure(),), empty=(failure("e"),)),
        CWD,
    )
    assert shown.splitlines() == [
        "tests/test_signs.py: 1 test, branches 3/4  75%",
        "signs:sign (0): UC509 line 0 was not reached",
        "e: nothing to test",
        "lost: error: there is no lost",
    ]


def test_json_report_holds_everything():
    varied = (("texts", 90, 4, 2),)
    figures = MutantFigures(9, 4, 3)
    shown = made(findings=FINDINGS[:1], variations=varied, mutants=figures)
    one = result(shown, kept=("test_mine",))
    document = json.loads(generate_report.as_json(summary(one, failures=(failure(),)), CWD))
    target = document["targets"][0]
    assert target["branches"] == {"covered": 3, "all": 4}
    assert (target["file"], target["status"]) == ("tests/test_signs.py", "written")
    assert target["kept"] == ["test_mine"]
    assert target["variations"] == {"texts": {"runs": 90, "goals": 4, "sites": 2}}
    assert target["mutants"] == {"all": 9, "killed": 4, "at_import": 3}
    assert target["findings"] == [
        {"code": "UC509", "target": "signs:sign", "message": "line 0 was not reached", "where": "0"}
    ]
    assert document["failures"] == [
        {
            "target": "lost",
            "slug": "target-not-found",
            "message": "there is no lost",
            "cause": "a typo",
            "advice": "look again",
        }
    ]


def test_the_summary_counts_suites_and_the_reasons_for_none():
    shown = generate_report.brief(
        summary(
            result(made()),
            result(made("blank", text="", tests=0, findings=FINDINGS[:1])),
            failures=(failure("lost"),),
            empty=(failure("shop"), failure("void")),
        )
    )
    lines = shown.splitlines()
    assert lines[0].startswith("1 of 5 targets have a suite, ")
    assert max(line.split()[1] for line in lines[1:]) == "3"
    assert "blank" in shown
