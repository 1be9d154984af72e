<?php

declare(strict_types=1);

namespace Fundproof\Test;

use Fundproof\Error\AbortError;
use Fundproof\Error\ApiError;
use Fundproof\Error\AuthenticationError;
use Fundproof\Error\ConnectionError;
use Fundproof\Error\FundproofError;
use Fundproof\Error\NotFoundError;
use Fundproof\Error\PermissionError;
use Fundproof\Error\RateLimitError;
use Fundproof\Error\ServerError;
use Fundproof\Error\TimeoutError;
use Fundproof\Event\UserVerified;
use Fundproof\EventStream;
use Fundproof\Internal\Clock;
use Fundproof\Internal\TokenSession;
use Fundproof\RequestOptions;
use Fundproof\Resource\Events;
use Fundproof\TokenPair;
use Fundproof\Transport\FakeTransport;
use Fundproof\Transport\Request;
use Fundproof\Transport\Response;
use Fundproof\UnknownEvent;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/support.php';

final class StreamTest extends TestCase
{
    public function testContinuesWhereItWasCutWithoutGapsOrDoubles(): void
    {
        $clock = new FakeClock();
        $fake = new FakeTransport([
            self::stream("retry: 2000\nid: p0\n\n", self::frame(1), self::frame(2), new ConnectionError('lost')),
            self::stream("id: p2\n\n", self::frame(2), substr(self::frame(3), 0, 20)),
            new ConnectionError('lost'),
            self::stream(self::frame(2) . self::frame(3)),
        ]);
        $stream = self::events($fake, $clock)->stream();
        self::assertSame(['e1', 'e2', 'e3'], self::idsOf($stream, 3));
        self::assertSame('p3', $stream->lastEventId());
        self::assertSame([null, 'p2', 'p2', 'p2'], self::positions($fake));
        self::assertSame([2000, 2000, 2000], $clock->waitsMs());
    }

    public function testWaitsLongerAfterFailuresInARow(): void
    {
        $clock = new FakeClock();
        $busy = new Response(503, ['Retry-After' => '2'], chunks: ['{"error":"x","code":"unavailable"}']);
        $lost = new ConnectionError('lost');
        $fake = new FakeTransport([
            self::stream("retry: 300\n\n", self::frame(1)),
            $lost,
            $lost,
            $busy,
            $lost,
            self::stream(self::frame(2)),
        ]);
        self::assertSame(['e1', 'e2'], self::idsOf(self::events($fake, $clock)->stream(), 2));
        self::assertSame([300, 500, 1000, 2000, 4000], $clock->waitsMs());
    }

    public function testKeepsTheServersWaitBetweenAQuarterAndSixtySeconds(): void
    {
        $clock = new FakeClock();
        $fake = new FakeTransport([
            self::stream("retry: 0\n\n", self::frame(1)),
            self::stream("retry: 999999999\n\n", self::frame(2)),
            self::stream(self::frame(3)),
        ]);
        self::assertSame(['e1', 'e2', 'e3'], self::idsOf(self::events($fake, $clock)->stream(), 3));
        self::assertSame([250, 60_000], $clock->waitsMs());
    }

    public function testARetryAfterOfManyDigitsEndsTheStream(): void
    {
        $busy = new Response(503, ['Retry-After' => '9999999999'], chunks: ['{"error":"x","code":"unavailable"}']);
        $fake = new FakeTransport([self::stream(self::frame(1)), $busy, self::stream(self::frame(2))]);
        $this->expectException(ServerError::class);
        self::idsOf(self::events($fake)->stream(), 2);
    }

    public function testAPositionWithoutAnEventCounts(): void
    {
        $fake = new FakeTransport([self::stream(self::frame(1), ": mark\nid: p9\n\n"), self::stream(self::frame(10))]);
        $stream = self::events($fake)->stream();
        self::assertSame(['e1', 'e10'], self::idsOf($stream, 2));
        self::assertSame([null, 'p9'], self::positions($fake));
    }

    public function testBeginsAtAPlaceAndFilters(): void
    {
        $fake = new FakeTransport([self::stream(self::frame(1)), self::stream(self::frame(2))]);
        $stream = self::events($fake)->stream(event: ['user.verified', 'donation.completed'], after: 'p0');
        self::assertSame('p0', $stream->lastEventId());
        self::idsOf($stream, 2);
        $filter = 'https://fake.test/api/events/stream?event=user.verified&event=donation.completed';
        self::assertSame(["$filter&after=p0", $filter], array_column($fake->requests, 'url'));
        self::assertSame('text/event-stream', $fake->requests[0]->headers['accept']);
        self::assertTrue($fake->requests[0]->stream);
    }

    public function testGivesTypedEventsAndKeepsNewTypes(): void
    {
        $new = ['id' => 'e2', 'event' => 'moon.full', 'created' => '2026-01-31T12:00:00Z', 'data' => ['a' => 1]];
        $fake = new FakeTransport([self::stream(self::frame(1), 'data: ' . json_encode($new) . "\n\n")]);
        $events = [];
        foreach (self::events($fake)->stream() as $event) {
            $events[] = $event;
            if (count($events) === 2) {
                break;
            }
        }
        self::assertInstanceOf(UserVerified::class, $events[0]);
        self::assertSame('u1', $events[0]->data->userId);
        self::assertInstanceOf(UnknownEvent::class, $events[1]);
        self::assertSame(1, $events[1]->data->a);
        self::assertFalse($events[0]->isTest());
    }

    public function testRefusalsEndTheStreamAtOnce(): void
    {
        $refusals = [
            [403, 'forbidden', PermissionError::class],
            [404, 'not_found', NotFoundError::class],
            [401, 'invalid_api_key', AuthenticationError::class],
            [429, 'too_many_streams', RateLimitError::class],
        ];
        foreach ($refusals as [$status, $code, $class]) {
            $refusal = new Response($status, chunks: [json_encode(['error' => 'No.', 'code' => $code])]);
            $fake = new FakeTransport([self::stream(self::frame(1)), ...array_fill(0, 3, $refusal)]);
            try {
                self::idsOf(self::events($fake)->stream(), 2);
                self::fail("No error for $code.");
            } catch (FundproofError $error) {
                self::assertSame($class, $error::class);
                self::assertSame($code, $error->errorCode);
            }
        }
    }

    public function testAPageOfAProxyIsNoStream(): void
    {
        $page = new Response(200, ['Content-Type' => 'text/html'], chunks: ['<html>Sign in', '</html>']);
        $this->expectException(ApiError::class);
        $this->expectExceptionMessage('<html>Sign in</html>');
        self::idsOf(self::events(new FakeTransport([$page]))->stream(), 1);
    }

    public function testARefusalThatDripsEnds(): void
    {
        $drip = (static function (): \Generator {
            while (true) {
                yield str_repeat('x', 1000);
            }
        })();
        $this->expectException(PermissionError::class);
        self::idsOf(self::events(new FakeTransport([new Response(403, chunks: $drip)]))->stream(), 1);
    }

    public function testARefusalThatDripsSlowlyEndsWithTheTimeout(): void
    {
        $drip = static function (): \Generator {
            for ($n = 0; $n < 500; $n++) {
                usleep(10_000);
                yield 'x';
            }
        };
        $fake = new FakeTransport([new Response(403, chunks: $drip())]);
        $options = new RequestOptions(timeout: 0.1, maxRetries: 0);
        $this->expectException(TimeoutError::class);
        self::idsOf(self::events($fake)->stream(options: $options), 1);
    }

    public function testAnEndedTokenIsRefreshedOnce(): void
    {
        $fake = new FakeTransport([
            new Response(401, chunks: ['{"error":"Ended.","code":"invalid_token"}']),
            FakeTransport::json(200, ['tokens' => ['accessToken' => 'n', 'refreshToken' => 'r', 'expires' => 900]]),
            self::stream(self::frame(1)),
        ]);
        $session = new TokenSession(new TokenPair('old', 'r1'));
        $events = new Events(sender($fake, session: $session));
        self::assertSame(['e1'], self::idsOf($events->stream(), 1));
        self::assertSame('Bearer n', $fake->requests[2]->headers['authorization']);
    }

    public function testAServiceThatWasNeverReachedIsAnError(): void
    {
        $fake = new FakeTransport(array_fill(0, 3, new ConnectionError('lost')));
        $this->expectException(ConnectionError::class);
        self::idsOf(self::events($fake)->stream(), 1);
    }

    public function testTheSignalEndsTheWaitForTheNextConnection(): void
    {
        $fake = new FakeTransport([self::stream(self::frame(1))]);
        $isEnded = false;
        $options = new RequestOptions(signal: static function () use (&$isEnded): bool {
            return $isEnded;
        });
        $this->expectException(AbortError::class);
        foreach (self::events($fake)->stream(options: $options) as $event) {
            $isEnded = true;
        }
    }

    public function testADataThatIsNoEventIsAnError(): void
    {
        $fake = new FakeTransport([self::stream("data: {\n\n")]);
        $this->expectException(FundproofError::class);
        self::idsOf(self::events($fake)->stream(), 1);
    }

    public function testAnEventThatCannotBeReadDoesNotMoveThePosition(): void
    {
        $fake = new FakeTransport([self::stream(self::frame(1) . "id: p2\ndata: {\n\n" . self::frame(3))]);
        $stream = self::events($fake)->stream();
        try {
            self::idsOf($stream, 2);
            self::fail('The second event is readable.');
        } catch (FundproofError) {
            self::assertSame('p1', $stream->lastEventId());
        }
    }

    private static function events(FakeTransport $fake, Clock $clock = new FakeClock()): Events
    {
        return new Events(sender($fake, $clock));
    }

    private static function frame(int $n): string
    {
        $data = ['userId' => "u$n", 'verifiedAt' => '2026-01-31T12:00:00Z'];
        $event = ['id' => "e$n", 'event' => 'user.verified', 'created' => '2026-01-31T12:00:00Z', 'data' => $data];
        return "id: p$n\nevent: user.verified\ndata: " . json_encode($event) . "\n\n";
    }

    private static function stream(string|ConnectionError ...$pieces): Response
    {
        $chunks = (static function () use ($pieces): \Generator {
            foreach ($pieces as $piece) {
                if ($piece instanceof ConnectionError) {
                    throw $piece;
                }
                yield $piece;
            }
        })();
        return new Response(200, ['Content-Type' => 'text/event-stream'], chunks: $chunks);
    }

    /** @return list<string> */
    private static function idsOf(EventStream $stream, int $count): array
    {
        $ids = [];
        foreach ($stream as $event) {
            $ids[] = $event->id;
            if (count($ids) === $count) {
                break;
            }
        }
        return $ids;
    }

    /** @return list<string|null> */
    private static function positions(FakeTransport $fake): array
    {
        return array_map(static fn (Request $one) => $one->headers['last-event-id'] ?? null, $fake->requests);
    }
}
