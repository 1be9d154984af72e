<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Closure;
use DateTimeInterface;
use Fundproof\Error\ApiError;
use Fundproof\Error\ConnectionError;
use Fundproof\Error\TimeoutError;
use Fundproof\RequestOptions;

/**
 * Polls a donation until its status is final. After an error that may not last, polls again.
 *
 * @internal
 */
final class Waiter
{
    private const WAITING = ['pending', 'confirming'];
    private const FIRST_PAUSE_S = 1.0;
    private const LONGEST_PAUSE_S = 15.0;
    private const SHORTEST_PAUSE_S = 0.25;
    private const SHORTEST_LOOK_S = 1.0;

    /**
     * @template T of object
     * @param Closure(RequestOptions): T $get Reads the donation.
     * @return T
     */
    public static function wait(
        Settings $settings,
        Closure $get,
        float $timeout,
        RequestOptions $options,
    ): object {
        $clock = $settings->clock;
        $until = $clock->now() + $timeout;
        $longest = $options->timeout ?? $settings->timeout;
        $donation = null;
        for ($look = 0;; $look++) {
            $left = max($until - $clock->now(), self::SHORTEST_LOOK_S);
            try {
                $error = null;
                $donation = $get($options->with(timeout: min($longest, $left), maxRetries: 0));
            } catch (ApiError | ConnectionError $error) {
                if (!Retry::mayHelp($error)) {
                    throw $error;
                }
            }
            if ($error === null && !in_array($donation->status, self::WAITING, true)) {
                return $donation;
            }
            $left = $until - $clock->now();
            if ($left <= 0) {
                $message = "The donation has not ended after $timeout seconds.";
                throw new TimeoutError("$message {$error?->getMessage()}", $donation, $error);
            }
            $next = $error === null ? $donation->confirmation?->nextCheckAt : null;
            $after = $error instanceof ApiError ? $error->retryAfter ?? 0.0 : 0.0;
            $pause = max(self::pause($look, $next, $clock), $after);
            $clock->sleep(min($pause, $left), $options->signal);
            $options->check('The signal ended the wait.');
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
