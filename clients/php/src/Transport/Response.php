<?php

declare(strict_types=1);

namespace Fundproof\Transport;

/** An answer of the service. */
final class Response
{
    /** @var array<string, string> Names in lower case. */
    public readonly array $headers;

    /**
     * @param array<string, string> $headers
     * @param iterable<string>|null $chunks The body of a stream, instead of `$body`.
     */
    public function __construct(
        public readonly int $status,
        array $headers = [],
        public readonly string $body = '',
        public readonly ?iterable $chunks = null,
    ) {
        $this->headers = array_change_key_case($headers);
    }
}
