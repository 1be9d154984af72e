<?php

declare(strict_types=1);

namespace Fundproof\Test;

use Fundproof\Internal\Clock;
use Fundproof\Internal\Sender;
use Fundproof\Internal\Settings;
use Fundproof\Internal\TokenSession;
use Fundproof\Transport\Transport;

/** A clock that only its sleeps move. */
final class FakeClock implements Clock
{
    /** @var list<float> */
    public array $sleeps = [];

    public function __construct(private float $now = 1_790_000_000, private float $random = 1)
    {
    }

    public function now(): float
    {
        return $this->now;
    }

    public function sleep(float $seconds, ?\Closure $signal = null): void
    {
        $this->sleeps[] = $seconds;
        $this->now += $seconds;
    }

    public function random(): float
    {
        return $this->random;
    }

    /** @return list<int> The sleeps in milliseconds. */
    public function waitsMs(): array
    {
        return array_map(static fn (float $s): int => (int) round($s * 1000), $this->sleeps);
    }
}

/** Makes a sender with the clock and the answers of a test. */
function sender(
    Transport $transport,
    Clock $clock = new FakeClock(),
    int $maxRetries = 2,
    float $maxRetryAfter = 60,
    ?TokenSession $session = null,
): Sender {
    return new Sender(new Settings(
        environment: 'sandbox',
        baseUrl: 'https://fake.test',
        apiKey: null,
        transport: $transport,
        timeout: 30,
        maxRetries: $maxRetries,
        maxRetryAfter: $maxRetryAfter,
        userAgent: 'test',
        clock: $clock,
    ), $session);
}
