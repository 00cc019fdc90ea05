"""Turn the CSV files of the time clocks into one JSON file a month."""

import csv
import sys
from collections import defaultdict
from pathlib import Path

from atomic_json import write_json_atomically

COLUMNS = ("employee", "date", "in", "out", "break")


def minutes(clock: str) -> int:
    """``"07:45"`` as minutes since midnight."""
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def read_clock_file(path: Path) -> list[dict]:
    """Entries of one file. A stay that ends before it begins ran past midnight, so a day is added to its end."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file, delimiter=";")
        missing = [column for column in COLUMNS if column not in (reader.fieldnames or [])]
        if missing:
            raise ValueError(f"{path}: column {', '.join(missing)} is missing")
        entries = []
        for row in reader:
            start, end = minutes(row["in"]), minutes(row["out"])
            entries.append(
                {
                    "employeeId": row["employee"].strip(),
                    "date": row["date"],
                    "start": start,
                    "end": end if end > start else end + 24 * 60,
                    "breakMinutes": int(row["break"] or 0),
                }
            )
        return entries


def main(folder: Path, target: Path) -> int:
    by_month = defaultdict(list)
    for path in sorted(folder.glob("*.csv")):
        for entry in read_clock_file(path):
            by_month[entry["date"][:7]].append(entry)
    for month, entries in by_month.items():
        write_json_atomically(target / f"{month}.json", entries)
    return len(by_month)


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), Path(sys.argv[2])), "months written")
