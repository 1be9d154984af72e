"""Runs the Python blocks of the README with a real service, one after the other."""

from __future__ import annotations

import re
import sys
import traceback
from pathlib import Path
from typing import Any

README = Path(__file__).resolve().parents[1] / "README.md"


def main() -> None:
    """Runs all blocks in one program, as the README says."""
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)
    names: dict[str, Any] = {"__name__": "readme"}
    for number, block in enumerate(blocks, 1):
        try:
            exec(compile(block, f"README block {number}", "exec"), names)
        except Exception:
            print(f"{block}\n{traceback.format_exc()}", file=sys.stderr)
            sys.exit(1)
        print(f"ok block {number}", flush=True)


if __name__ == "__main__":
    main()
