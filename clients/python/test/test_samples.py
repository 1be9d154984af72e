"""Runs the Python samples of the OpenAPI document, one for each operation."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pkgutil
import tempfile
import unittest
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

from support import ROOT

import fundproof
from fundproof._generated import resources
from fundproof._operation import Operation
from fundproof.testing import Answer, FakeTransport

SAMPLES = ROOT.parents[1] / "src/http/openapi/code-samples.json"


def operations() -> dict[str, Operation]:
    """All operations by their operationId: of two methods, the first one."""
    names = [module.name for module in pkgutil.iter_modules(resources.__path__)]
    modules = [import_module(f"{resources.__name__}.{name}") for name in names]
    found = [value for module in modules for value in vars(module).values()]
    return {each.id: each for each in reversed(found) if isinstance(each, Operation)}


@unittest.skipUnless(SAMPLES.exists(), "the samples are only in the repository")
class Samples(unittest.TestCase):
    def test_each_sample_sends_one_request(self) -> None:
        content: Any = json.loads(SAMPLES.read_text("utf-8"))
        self.assertGreater(len(content), 100)
        settings = {
            "FUNDPROOF_API_KEY": "fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi",
            "FUNDPROOF_BASE_URL": "https://a.example",
        }
        real = fundproof.Fundproof
        known = operations()
        self.assertEqual(set(content), set(known))
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, settings):
            os.chdir(folder)
            Path("cover.png").write_bytes(b"\x89PNG")
            for name, sample in content.items():
                event = b'data: {"id":"e1","event":"x"}\n\n'
                body = {known[name].wire: []} if known[name].answer == "list" else {}
                transport = FakeTransport([Answer(json=body, chunks=[event]), Answer(404)])
                made = patch.object(
                    fundproof, "Fundproof", lambda transport=transport: real(transport=transport)
                )
                with self.subTest(name), made, contextlib.redirect_stdout(io.StringIO()):
                    code = compile(sample["python"], name, "exec")
                    try:
                        exec(code, {})
                    except fundproof.NotFoundError:
                        self.assertEqual(name, "streamEvents")
                    self.assertEqual(transport.requests[0].method, known[name].method)
            os.chdir(before)


if __name__ == "__main__":
    unittest.main()
