<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use DateTimeImmutable;
use DateTimeZone;
use Fundproof\Error\AbortError;
use Fundproof\Error\ApiError;
use Fundproof\Error\ConnectionError;

/**
 * After which answers a request is sent again, and how long the pause before it is.
 *
 * @internal
 */
final class Retry
{
    private const FIRST_WAIT_MS = 500;
    private const LONGEST_WAIT_MS = 8000;
    private const STATUSES = [408, 429, 500, 502, 503, 504];
    private const CONFLICTS = ['idempotency_in_progress', 'proof_not_ready'];
    private const DATES = ['D, d M Y H:i:s \G\M\T', 'l, d-M-y H:i:s \G\M\T', 'D M j H:i:s Y'];

    /** Whether the same request may succeed later. */
    public static function mayHelp(ApiError|ConnectionError $error): bool
    {
        return $error instanceof ApiError
            ? in_array($error->status, self::STATUSES, true)
                || ($error->status === 409 && in_array($error->errorCode, self::CONFLICTS, true))
            : !$error instanceof AbortError;
    }

    /** The wait in seconds before the retry with this number, from 0. */
    public static function wait(int $retry, float $random): float
    {
        $ms = min(self::LONGEST_WAIT_MS, self::FIRST_WAIT_MS * 2 ** min($retry, 10));
        return $ms * (0.5 + $random / 2) / 1000;
    }

    /**
     * Reads `Retry-After`, which is seconds or a date, as seconds from now. Null for other text.
     */
    public static function after(?string $field, float $now): ?float
    {
        $text = trim($field ?? '');
        if (preg_match('/^\d+$/D', $text) === 1) {
            return (float) $text;
        }
        foreach (self::DATES as $format) {
            $date = DateTimeImmutable::createFromFormat("!$format", $text, new DateTimeZone('UTC'));
            if ($date !== false) {
                return max(0.0, $date->getTimestamp() - $now);
            }
        }
        return null;
    }
}
