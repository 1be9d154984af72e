<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Closure;
use Fundproof\Transport\Transport;

/**
 * The checked options of a client.
 *
 * @internal
 */
final class Settings
{
    /**
     * @param (Closure(array<string, mixed>): void)|null $onRequest
     * @param (Closure(array<string, mixed>): void)|null $onResponse
     * @param (Closure(array<string, mixed>): void)|null $onRetry
     */
    public function __construct(
        public readonly string $environment,
        public readonly string $baseUrl,
        public readonly ?Secret $apiKey,
        public readonly Transport $transport,
        public readonly float $timeout,
        public readonly int $maxRetries,
        public readonly float $maxRetryAfter,
        public readonly string $userAgent,
        public readonly ?Closure $onRequest = null,
        public readonly ?Closure $onResponse = null,
        public readonly ?Closure $onRetry = null,
        public readonly ?object $logger = null,
        public readonly Clock $clock = new SystemClock(),
    ) {
    }
}
