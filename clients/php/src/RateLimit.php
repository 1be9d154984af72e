<?php

declare(strict_types=1);

namespace Fundproof;

/** The rate limit of this caller at the time of an answer. */
final class RateLimit
{
    /**
     * @param int $remaining Requests that are left.
     * @param int $reset Seconds until the count begins again.
     * @param int|null $limit Requests in one window.
     * @param int|null $window Length of the window in seconds.
     */
    public function __construct(
        public readonly int $remaining,
        public readonly int $reset,
        public readonly ?int $limit = null,
        public readonly ?int $window = null,
    ) {
    }

    /**
     * Reads the header fields `RateLimit` and `RateLimit-Policy`.
     *
     * @param array<string, string> $headers Names in lower case.
     * @internal
     */
    public static function of(array $headers): ?self
    {
        $now = self::parameters($headers['ratelimit'] ?? '');
        $policy = self::parameters($headers['ratelimit-policy'] ?? '');
        if (!isset($now['r'], $now['t'])) {
            return null;
        }
        return new self($now['r'], $now['t'], $policy['q'] ?? null, $policy['w'] ?? null);
    }

    /** @return array<string, int> */
    private static function parameters(string $field): array
    {
        $first = explode(',', $field)[0];
        preg_match_all('/;\s*([a-z]+)=(\d{1,9})(?=\s*(;|$))/', $first, $found, PREG_SET_ORDER);
        return array_map(intval(...), array_column($found, 2, 1));
    }
}
