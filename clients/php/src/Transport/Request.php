<?php

declare(strict_types=1);

namespace Fundproof\Transport;

/** A request, ready to send. */
final class Request
{
    /**
     * @param array<string, string> $headers Names in lower case.
     * @param float $timeout Seconds until the last byte of the answer, or of its head for a stream.
     * @param bool $stream Whether the body of the answer is read while it comes.
     * @param float $silence Seconds without a byte after which a stream counts as broken.
     * @param (\Closure(): bool)|null $signal Asked during the request; true ends it.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        #[\SensitiveParameter] public readonly array $headers = [],
        #[\SensitiveParameter] public readonly ?string $body = null,
        public readonly float $timeout = 30,
        public readonly bool $stream = false,
        public readonly float $silence = 45,
        public readonly ?\Closure $signal = null,
    ) {
    }

    /** @return array<string, mixed> Without the body and the values of header fields. */
    public function __debugInfo(): array
    {
        return [
            'method' => $this->method,
            'url' => $this->url,
            'headers' => array_keys($this->headers),
            'timeout' => $this->timeout,
            'stream' => $this->stream,
        ];
    }
}
