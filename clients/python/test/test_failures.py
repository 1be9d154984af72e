"""Tests of errors: their messages and fields, and waiting until an error is over."""

from __future__ import annotations

import copy
import pickle
import socket
import threading
import unittest
from typing import Any

from support import DONATION, KEY, TestIO, client, core_of, failure_with_locals

from fundproof import (
    APIConnectionError,
    APITimeoutError,
    ApiError,
    AuthenticationError,
    Fundproof,
    Unknown,
    WebhookVerificationError,
)
from fundproof._donations import Donations
from fundproof._transport import Request
from fundproof.testing import Answer, FakeTransport
from fundproof.types import Tokens


class Failures(unittest.TestCase):
    def refusal(self, answer: Answer) -> ApiError:
        fundproof, _ = client(answer, max_retries=0)
        with self.assertRaises(ApiError) as caught:
            fundproof.donations.get("d1")
        return caught.exception

    def test_are_pickled_and_copied_with_all_fields(self) -> None:
        details = [{"path": "amount", "message": "Too small."}]
        body = {"error": "No.", "code": "invalid_input", "requestId": "r", "details": details}
        headers = {"Retry-After": "7", "RateLimit": '"default";r=599;t=60'}
        fundproof, _ = client(Answer(json=DONATION, headers={"X-Request-Id": "r1"}))
        late = APITimeoutError("late", fundproof.donations.get("d1"))
        no_match = WebhookVerificationError("no_match", "No.")
        for error in (self.refusal(Answer(404, json=body, headers=headers)), late, no_match):
            for made in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
                self.assertIs(type(made), type(error))
                self.assertEqual((str(made), vars(made)), (str(error), vars(error)))
        last = pickle.loads(pickle.dumps(late)).last
        self.assertEqual((last.raw["newField"], last.response.request_id), ({"deep": [1]}, "r1"))
        self.assertEqual(pickle.loads(pickle.dumps(Unknown.from_wire({"a": 1}))).a, 1)

    def test_say_what_came_in_place_of_an_answer(self) -> None:
        html = {"Content-Type": "text/html"}
        for answer, words in (
            (Answer(302, headers={"Location": "https://b.example/x"}), "redirect to https://b.ex"),
            (Answer(301, body=b"<html>", headers={"Location": "/x"}), "redirect to /x .*<html>$"),
            (Answer(200), "empty answer"),
            (Answer(502, body=b"Sign in", headers=html), "web page .*: Sign in$"),
            (Answer(200, body=b"<html>Sign in"), "web page .*: <html>Sign in$"),
            (Answer(200, body=b'{"id": "d'), 'Broken or cut JSON .*: {"id": "d$'),
            (Answer(200, body=b"[" * 100_000), r"Broken or cut JSON .*: \[\[\[+$"),
            (Answer(500, json=["x"]), r'^JSON .*: \["x"\]$'),
            (Answer(503, body=b"Later"), "text .*: Later$"),
        ):
            error = self.refusal(answer)
            self.assertRegex(error.message, words)
            self.assertIsNone(error.code)

    def test_say_what_came_in_place_of_a_file(self) -> None:
        page = Answer(200, body=b"Sign in", headers={"Content-Type": "text/html"})
        fundproof, _ = client(page, page)
        for call in (fundproof.campaigns.get_cover, fundproof.campaigns.export_donations):
            with self.assertRaisesRegex(ApiError, "web page .*: Sign in"):
                call("c")

    def test_name_fields_as_the_caller_does(self) -> None:
        paths = ["transaction.txHash", "target_amount", "milestones.0.targetAmount", "from", ""]
        details = [{"path": path, "message": "Wrong."} for path in paths]
        body = {"error": "No.", "code": "invalid_input", "details": details}
        found = [each.path for each in self.refusal(Answer(400, json=body)).details]
        names = ["transaction.tx_hash", "target_amount", "milestones.0.target_amount", "from_", ""]
        self.assertEqual(found, names)

    def test_hide_keys_from_tracebacks_with_local_variables(self) -> None:
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def cut() -> None:
            for _ in range(2):
                server.accept()[0].close()

        threading.Thread(target=cut, daemon=True).start()
        tokens = Tokens(access_token="hidden-access", refresh_token="hidden-refresh", expires=900)
        url, large = f"http://127.0.0.1:{server.getsockname()[1]}", b"x" * 3_000_000
        for secret in ({"api_key": KEY}, {"tokens": tokens}):
            made = Fundproof(environment="sandbox", base_url=url, max_retries=0, **secret)  # type: ignore
            with made:
                # The large body makes the connection break while http.client has the headers in its
                # variables.
                cover = made.campaigns.set_cover
                shown = failure_with_locals(lambda: cover("c", large, content_type="image/png"))
            self.assertIn("_http.py", shown)
            for each in ("hidden", "G0lyp5VrYXMB"):
                self.assertNotIn(each, shown.replace("x" * 1000, ""))
        for wrong in ({"base_url": "x"}, {"environment": "production"}, {"max_connections": 0}):
            shown = failure_with_locals(lambda: client(api_key=KEY, **wrong))
            self.assertNotIn("G0lyp5VrYXMB", shown.partition("_base.py")[2])


class Waiting(unittest.TestCase):
    def wait(self, *answers: Any, timeout: float | None = 60) -> tuple[Any, TestIO]:
        transport = FakeTransport(answers)
        io = TestIO(transport)
        return lambda: Donations(core_of(io)).wait_for("d1", timeout=timeout), io

    def test_outlasts_errors_that_may_pass(self) -> None:
        busy = Answer(503, json={}, headers={"Retry-After": "7"})
        lost = APIConnectionError("lost")
        pending = Answer(json={**DONATION, "status": "pending"})
        wait, io = self.wait(lost, pending, busy, *[lost] * 5, Answer(json=DONATION))
        self.assertEqual(wait().id, "d1")
        self.assertEqual(io.waits[2], 7)

    def test_ends_at_its_timeout_with_the_last_donation(self) -> None:
        pending = Answer(json={**DONATION, "status": "pending"})
        lost = APITimeoutError("lost")
        for first, last in ((pending, "pending"), (lost, None)):
            wait, io = self.wait(first, *[lost] * 10, timeout=12)
            with self.assertRaises(APITimeoutError) as caught:
                wait()
            self.assertEqual(getattr(caught.exception.last, "status", None), last)
            self.assertIs(caught.exception.__cause__, lost)
            self.assertEqual(io.time, 12)
            timeouts = [request.timeout for request in io.transport.requests]
            self.assertEqual((timeouts[0], timeouts[-1]), (12, 1))

    def test_ends_with_errors_that_stay(self) -> None:
        wait, _ = self.wait(Answer(401, json={"error": "No.", "code": "invalid_api_key"}))
        with self.assertRaises(AuthenticationError):
            wait()


if __name__ == "__main__":
    unittest.main()
