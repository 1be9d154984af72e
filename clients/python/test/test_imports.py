"""Tests of the modules that a first call imports, and of the time for it."""

from __future__ import annotations

import json
import subprocess
import sys
import unittest

from support import ROOT

#: A first call.
CALL = """
import sys
before = set(sys.modules)
from fundproof import Fundproof
from fundproof.testing import Answer, FakeTransport
body = {"id": "d1", "amount": {"value": "25.1", "currency": "USDC"}}
fake = FakeTransport([Answer(json=body)])
client = Fundproof(environment="sandbox", base_url="https://a.example", transport=fake)
assert str(client.donations.get("d1").amount.value) == "25.1"
import json
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def modules_of(program: str) -> set[str]:
    """Runs a program in a new interpreter and returns the modules that it prints."""
    start = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\n"
    command = [sys.executable, "-I", "-c", start + program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


class Imports(unittest.TestCase):
    def test_a_first_call_imports_only_its_own_resource(self) -> None:
        found = modules_of(CALL)
        ours = {name for name in found if name.startswith("fundproof")}
        resources = {name for name in ours if "_generated.resources." in name}
        types = {name for name in ours if "_generated.types." in name}
        self.assertEqual(resources, {"fundproof._generated.resources.donations"})
        self.assertEqual(types, {"fundproof._generated.types.common"})
        self.assertLessEqual(len(ours), 27, sorted(ours))
        for name in ("asyncio", "logging", "http.client", "ssl", "uuid", "urllib.request"):
            self.assertNotIn(name, found)

    def test_importing_the_package_imports_nothing_else(self) -> None:
        program = "import fundproof, json; print(json.dumps([m for m in sys.modules]))"
        found = modules_of(program)
        ours = {name for name in found if name.startswith("fundproof")}
        self.assertEqual(ours, {"fundproof"})
        self.assertNotIn("http.client", found)

    def test_every_exported_name_exists(self) -> None:
        import fundproof
        from fundproof import types

        for module in (fundproof, types):
            for name in dir(module):
                self.assertIsNotNone(getattr(module, name), name)
            with self.assertRaises(AttributeError):
                _ = module.a_name_that_does_not_exist  # type: ignore[attr-defined]


if __name__ == "__main__":
    unittest.main()
