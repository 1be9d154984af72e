"""Runs the vectors that the clients of all languages share."""

from __future__ import annotations

import json
import os
import unittest
from collections.abc import Callable
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

from support import ROOT, TestIO, call, core_of

from fundproof import (
    APIConnectionError,
    ApiError,
    APITimeoutError,
    ConfigurationError,
    Fundproof,
    FundproofError,
    Page,
    WebhookVerificationError,
    webhooks,
)
from fundproof._answer import retry_after_of
from fundproof._donations import Donations
from fundproof._io import run
from fundproof._operation import Call, Operation
from fundproof._page import Listing
from fundproof._sse import SseParser
from fundproof._values import amount_of, amount_text, path_of, query_of
from fundproof.testing import Answer, FakeTransport

VECTORS = Path(os.environ.get("FUNDPROOF_VECTORS", ROOT.parent / "vectors"))
NAMES = {
    "PermissionDeniedError": "PermissionError",
    "APIConnectionError": "ConnectionError",
    "APITimeoutError": "TimeoutError",
}
Case = dict[str, Any]


def class_name(error: BaseException) -> str:
    """The name of an error class in the vectors."""
    name = type(error).__name__
    return NAMES.get(name, name)


def answer_of(script: Case) -> Answer | Exception:
    """An answer or a fault of the vectors."""
    if "fault" in script:
        faults = {"connection": APIConnectionError, "timeout": APITimeoutError}
        return faults[script["fault"]]("scripted")
    body = script["body"]
    raw = body if isinstance(body, str) else "" if body is None else json.dumps(body)
    return Answer(script["status"], body=raw.encode(), headers=script.get("headers"))


def filled(part: Any, values: Case) -> Any:
    """Replaces the names in a part of a case by their values."""
    if isinstance(part, str) and part.startswith("$"):
        return filled(values[part[1:]], values)
    if isinstance(part, list):
        return [filled(each, values) for each in cast("list[Any]", part)]
    if isinstance(part, dict):
        return {name: filled(each, values) for name, each in cast("Case", part).items()}
    return part


def ids_of(items: list[str] | int) -> list[str]:
    """A number means this many items, with the ids ``i0``, ``i1`` and so on."""
    return [f"i{at}" for at in range(items)] if isinstance(items, int) else items


class Vectors(unittest.TestCase):
    """One test for each file, and one subtest for each case."""

    maxDiff = None

    def run_file(
        self, name: str, fields: str, expected: str, check: Callable[[Case, Any], None]
    ) -> None:
        """Runs the cases of a file. Fails if a field is unknown to this runner."""
        file = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
        self.assertTrue(file["cases"])
        self.file = file
        for given in file["cases"]:
            case = filled({**file.get("defaults", {}), **given}, file.get("values", {}))
            with self.subTest(f"{name}: {case['name']}"):
                self.assertLessEqual(set(case), {"name", "expect", *fields.split()})
                if isinstance(case["expect"], dict):
                    self.assertLessEqual(set(case["expect"]), set(expected.split()))
                check(case, case["expect"])

    def test_knows_all_files(self) -> None:
        known = {name.removeprefix("test_file_") for name in dir(self) if "test_file_" in name}
        files = {path.stem.replace("-", "_") for path in VECTORS.glob("*.json")}
        self.assertEqual(files, known)

    def test_file_webhooks(self) -> None:
        def check(case: Case, expect: Case) -> None:
            options = {"tolerance": case["tolerance"]} if "tolerance" in case else {}
            arguments = (case["body"], case["headers"], case["secrets"])
            for body in (case["body"], case["body"].encode()):
                if "event" in expect:
                    event = webhooks.verify(body, *arguments[1:], now=case["now"], **options)
                    self.assertEqual(event.event, expect["event"])
                    continue
                with self.assertRaises(WebhookVerificationError) as caught:
                    webhooks.verify(body, *arguments[1:], now=case["now"], **options)
                self.assertEqual(caught.exception.reason, expect["error"])

        fields = "headers body secrets tolerance now signers"
        self.run_file("webhooks", fields, "event error", check)

    def test_file_errors(self) -> None:
        def check(case: Case, expect: Case) -> None:
            io = TestIO(FakeTransport([answer_of(case)]), case.get("now", 0))
            with self.assertRaises(ApiError) as caught:
                call(core_of(io), "GET", {"max_retries": 0})
            error = caught.exception
            found = {
                "class": class_name(error),
                "code": error.code,
                "message": error.message,
                "requestId": error.request_id,
                "retryAfter": error.retry_after,
                "details": [detail._asdict() for detail in error.details],
                "requires": error.requires,
            }
            if error.code is None and expect.get("message"):
                # The message describes the answer before it quotes the text.
                self.assertTrue(error.message.endswith(expect["message"]), error.message)
                found["message"] = expect["message"]
            self.assertEqual({name: found[name] for name in expect}, expect)

        expected = "class code message requestId retryAfter details requires"
        self.run_file("errors", "status headers body now", expected, check)

    def test_file_retries(self) -> None:
        def check(case: Case, expect: Case) -> None:
            transport = FakeTransport([answer_of(each) for each in case["answers"]])
            io = TestIO(transport, case["now"], case["random"])
            defaults = {"max_retries": "maxRetries", "max_retry_after": "maxRetryAfter"}
            given = {ours: case[name] for ours, name in defaults.items() if name in case}
            core = core_of(io, **given)
            key = case.get("idempotencyKey")
            result = "ok"
            try:
                call(core, case["method"], {"idempotency_key": key} if key else None)
            except FundproofError as error:
                result = class_name(error)
            self.assertEqual(result, expect["result"])
            self.assertEqual(len(transport.requests), expect["requests"])
            self.assertEqual([round(wait * 1000, 6) for wait in io.waits], expect["waitsMs"])
            keys = {request.headers.get("idempotency-key") for request in transport.requests}
            if expect.get("sameKey"):
                self.assertEqual(len(keys), 1)
                self.assertNotIn(None, keys)
                self.assertEqual(keys, {key or keys.copy().pop()})
            elif case["method"] != "POST" and key is None:
                self.assertEqual(keys, {None})

        fields = "method random now maxRetries maxRetryAfter idempotencyKey answers"
        self.run_file("retries", fields, "requests sameKey waitsMs result", check)

    def test_file_money(self) -> None:
        def check(case: Case, expect: Any) -> None:
            if "wire" in case:
                self.assertEqual(format(amount_of(case["wire"]), "f"), expect)
                return
            value, refused = case["in"], "error" in expect
            if isinstance(value, dict):
                ((kind, text),) = cast("dict[str, str]", value).items()
                kinds = {"integer": int, "decimal": Decimal, "float": float, "boolean": bool}
                value = kinds[kind](text)
                refused = refused or kind == "float"
            if refused:
                with self.assertRaises((TypeError, ValueError)):
                    amount_text(value)
            else:
                self.assertEqual(amount_text(value), expect["wire"])

        self.run_file("money", "in wire", "wire error", check)

    def test_file_sse(self) -> None:
        def check(case: Case, expect: Case) -> None:
            data = case["text"].encode()
            cuts = [[data], [data[i : i + 1] for i in range(len(data))]]
            cuts += [[data[:i], data[i:]] for i in range(len(data) + 1)]
            for chunks in cuts:
                parser = SseParser()
                messages = [message for chunk in chunks for message in parser.feed(chunk)]
                found = [{"id": each.id or None, "data": each.data} for each in messages]
                self.assertEqual(found, expect["events"], chunks)
                self.assertEqual(parser.last_event_id or None, expect["lastEventId"], chunks)
                self.assertEqual(parser.retry_ms, expect.get("retryMs"), chunks)

        self.run_file("sse", "text", "events lastEventId retryMs", check)

    def test_file_paths(self) -> None:
        def check(case: Case, expect: Any) -> None:
            template = "".join(f"/{{p{i}}}" for i in range(len(case["segments"])))
            if isinstance(expect, dict):
                with self.assertRaises(ValueError):
                    path_of(template, case["segments"])
            else:
                self.assertEqual(path_of(template, case["segments"]), expect)

        self.run_file("paths", "segments", "error", check)

    def test_file_queries(self) -> None:
        def check(case: Case, expect: str) -> None:
            self.assertEqual(query_of(case["query"]), expect)

        self.run_file("queries", "query", "", check)

    def test_file_retry_after(self) -> None:
        def check(case: Case, expect: float | None) -> None:
            self.assertEqual(retry_after_of(case["header"], case["now"]), expect)

        self.run_file("retry-after", "header now", "", check)

    def test_file_configuration(self) -> None:
        names = {
            "apiKey": "api_key",
            "environment": "environment",
            "baseUrl": "base_url",
            "timeout": "timeout",
            "maxRetries": "max_retries",
        }

        def check(case: Case, expect: Case) -> None:
            options = {names[name]: value for name, value in case["options"].items()}
            others = {k: v for k, v in os.environ.items() if not k.startswith("FUNDPROOF_")}
            with patch.dict(os.environ, {**others, **case["env"]}, clear=True):
                if "ok" in expect:
                    made = Fundproof(**options)
                    found = {"environment": made.environment, "baseUrl": made.base_url}
                    self.assertEqual(found, expect["ok"])
                    key = options.get("api_key") or case["env"].get("FUNDPROOF_API_KEY")
                    self.assertFalse(key and key in repr(vars(made)))
                    return
                with self.assertRaises(ConfigurationError) as caught:
                    Fundproof(**options)
            for text in expect.get("mentions", []):
                self.assertIn(text, str(caught.exception))
            for key in (options.get("api_key"), case["env"].get("FUNDPROOF_API_KEY")):
                self.assertFalse(key and key in str(caught.exception))

        self.run_file("configuration", "options env", "ok error mentions", check)

    def test_file_pages(self) -> None:
        def check(case: Case, expect: Case) -> None:
            for page in case["pages"]:
                if isinstance(page.get(case["wire"]), int):
                    page[case["wire"]] = [{"id": id} for id in ids_of(page[case["wire"]])]
            transport = FakeTransport(
                answer_of(page if "status" in page else {"status": 200, "body": page})
                for page in case["pages"]
            )
            operation = Operation(
                "test", "GET", "/api/test", "list", wire=case["wire"], by=case["by"]
            )
            core = core_of(TestIO(transport))
            ids: list[str] = []
            failed = False
            try:
                listing = Listing[Any](core, Call(operation, query=case["query"]), None)
                for item in islice(Page(run(listing.read(None))), case.get("take")):
                    ids.append(item["id"])
            except FundproofError:
                failed = True
            sent = [set(each.url.partition("?")[2].split("&")) for each in transport.requests]
            self.assertEqual(sent, [set(query.split("&")) for query in expect["requests"]])
            self.assertEqual(ids, ids_of(expect["items"]))
            self.assertEqual(failed, expect.get("error", False))

        self.run_file("pages", "by wire query take pages", "requests items error", check)

    def test_file_wait(self) -> None:
        def check(case: Case, expect: Case) -> None:
            donations = [{**self.file["donation"], **poll} for poll in case["polls"]]
            transport = FakeTransport([Answer(json=donation) for donation in donations])
            io = TestIO(transport, case["now"], case["random"])
            last = None
            try:
                result = Donations(core_of(io)).wait_for("d1", timeout=case["timeout"]).status
            except APITimeoutError as error:
                result, last = "timeout", error.last.status
            self.assertEqual(result, expect["result"])
            self.assertEqual(last, expect.get("last"))
            self.assertEqual(len(transport.requests), expect["requests"])
            self.assertEqual(len(io.waits), len(expect["waitsMs"]))
            for wait, wanted in zip(io.waits, expect["waitsMs"]):
                self.assertAlmostEqual(wait * 1000, wanted, delta=1)

        self.run_file("wait", "now random timeout polls", "requests waitsMs result last", check)


if __name__ == "__main__":
    unittest.main()
