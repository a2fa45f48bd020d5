"""Throws broken input at the readers: ``python -m tests.fuzz [CASES] [SEED]``.

Prints one line: how many cases there were, what came of them by kind, and how many crashes,
hangs and disagreements with dense counts; then each of those with its number. One case alone is
tried, with its traceback, by ``python -m tests.fuzz case NUMBER [SEED]``.
"""

import sys
import time

from tests.fuzz.runner import kind_of, run, try_case


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["case"]:
        number, seed = int(arguments[1]), int((arguments[2:] or ["0"])[0])
        print(f"case {number} ({kind_of(number)}): {try_case(seed, number)}")
        return 0
    cases, seed = (int(text) for text in (arguments + ["10000", "0"][len(arguments):])[:2])
    begun = time.monotonic()
    report = run(cases, seed)
    print(report.describe())
    print(f"seed: {seed}; {time.monotonic() - begun:.0f} s")
    return 0 if report.is_clean else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
