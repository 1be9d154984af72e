<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Closure;
use DateTimeInterface;
use Fundproof\Error\AbortError;
use Fundproof\Error\TimeoutError;

/**
 * Polls a donation until it has ended.
 *
 * @internal
 */
final class Waiter
{
    private const WAITING = ['pending', 'confirming'];
    private const FIRST_PAUSE_S = 1.0;
    private const LONGEST_PAUSE_S = 15.0;
    private const SHORTEST_PAUSE_S = 0.25;

    /**
     * @template T of object
     * @param Closure(): T $get Reads the donation.
     * @param (Closure(): bool)|null $signal
     * @return T
     */
    public static function wait(Clock $clock, Closure $get, float $timeout, ?Closure $signal): object
    {
        $until = $clock->now() + $timeout;
        for ($look = 0;; $look++) {
            $donation = $get();
            if (!in_array($donation->status, self::WAITING, true)) {
                return $donation;
            }
            $left = $until - $clock->now();
            if ($left <= 0) {
                $message = "The donation is still $donation->status after $timeout seconds.";
                throw new TimeoutError($message, $donation);
            }
            $pause = self::pause($look, $donation->confirmation?->nextCheckAt, $clock);
            $clock->sleep(min($pause, $left), $signal);
            if ($signal !== null && $signal()) {
                throw new AbortError('The signal ended the wait.');
            }
        }
    }

    private static function pause(int $look, ?DateTimeInterface $next, Clock $clock): float
    {
        $pause = min(self::LONGEST_PAUSE_S, self::FIRST_PAUSE_S * 1.5 ** min($look, 20));
        $pause *= 0.5 + $clock->random() / 2;
        $ahead = $next === null ? 0 : (float) $next->format('U.v') - $clock->now();
        return $ahead > 0 ? min($pause, max($ahead, self::SHORTEST_PAUSE_S)) : $pause;
    }
}
