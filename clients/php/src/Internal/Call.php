<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\RequestOptions;

/**
 * One call of the interface, before it becomes requests.
 *
 * @internal
 */
final class Call
{
    public readonly RequestOptions $options;

    /**
     * @param string $path With its values, without the query.
     * @param array<string, mixed> $query
     * @param \stdClass|null $body The JSON body.
     * @param string|null $bytes A body that is not JSON, of the type `$type`.
     * @param bool $stream Whether the answer is a stream of events.
     * @param bool $signed Whether the key or token of the client is sent.
     * @param string|null $lastEventId Where a stream continues.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        ?RequestOptions $options = null,
        public readonly array $query = [],
        #[\SensitiveParameter] public readonly ?\stdClass $body = null,
        public readonly ?string $bytes = null,
        public readonly ?string $type = null,
        public readonly string $accept = 'application/json',
        public readonly bool $stream = false,
        public readonly bool $signed = true,
        public readonly ?string $lastEventId = null,
    ) {
        $this->options = $options ?? new RequestOptions();
    }

    /**
     * Returns a copy of this call that has another query, for example for the next page of a list.
     *
     * @param array<string, mixed> $query
     */
    public function with(array $query): self
    {
        return new self($this->method, $this->path, $this->options, $query);
    }

    /** @return array<string, mixed> Without the body, which may hold a password. */
    public function __debugInfo(): array
    {
        return ['method' => $this->method, 'path' => $this->path, 'options' => $this->options];
    }
}
