<?php

declare(strict_types=1);

namespace Fundproof;

/** The facts about an answer, without its content. */
final class ResponseInfo
{
    /**
     * @param bool $replayed True if the answer is the stored answer to an earlier request with the
     *     same idempotency key.
     * @param array<string, string> $headers The header fields, in lower case.
     * @param int $attempts How many requests were sent.
     */
    public function __construct(
        public readonly int $status,
        public readonly ?string $requestId,
        public readonly bool $replayed,
        public readonly ?RateLimit $rateLimit,
        public readonly array $headers,
        public readonly int $attempts,
    ) {
    }
}
