"""Writing JSON files so that a reader sees the old content or the new one, never a mixture."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any


def write_json_atomically(path: Path, value: Any) -> None:
    """Write ``value`` to ``path`` through a temporary file in the same folder.

    The temporary file is flushed to the disk before it takes the place of the old one, because some file
    systems would otherwise rename first and write later. On failure the old file stays as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False, indent=2, sort_keys=True)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read_json(path: Path, default: Any = None) -> Any:
    """Content of ``path``, or ``default`` when there is no such file. Broken JSON is an error."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return default
