<?php

declare(strict_types=1);

namespace Fundproof;

use Fundproof\Error\AbortError;
use Fundproof\Error\ConfigurationError;
use Fundproof\Internal\Configuration;

/**
 * Options of a single call, always its last argument.
 *
 *     $fundproof->donations->get($id, new RequestOptions(timeout: 5, maxRetries: 0));
 */
final class RequestOptions
{
    /**
     * @param float|null $timeout Seconds for each attempt, from connecting to the last byte.
     * @param int|null $maxRetries Further attempts after the first; 0 is none.
     * @param string|null $idempotencyKey Your own key. Without it each POST gets a new one.
     * @param array<string, string> $headers Further header fields.
     * @param (\Closure(): bool)|null $signal Asked during the call; true throws an AbortError.
     * @throws ConfigurationError
     */
    public function __construct(
        public readonly ?float $timeout = null,
        public readonly ?int $maxRetries = null,
        public readonly ?string $idempotencyKey = null,
        #[\SensitiveParameter] public readonly array $headers = [],
        public readonly ?\Closure $signal = null,
    ) {
        Configuration::seconds($timeout ?? 1, 'timeout');
        Configuration::retries($maxRetries ?? 0);
    }

    /**
     * A copy with other options.
     *
     * @internal
     */
    public function with(mixed ...$options): self
    {
        return new self(...$options + get_object_vars($this));
    }

    /**
     * Throws if the signal ends the call.
     *
     * @internal
     */
    public function check(string $message): void
    {
        if ($this->signal !== null && ($this->signal)()) {
            throw new AbortError($message);
        }
    }

    /** @return array<string, mixed> Without the values of header fields. */
    public function __debugInfo(): array
    {
        return ['headers' => array_keys($this->headers)] + get_object_vars($this);
    }
}
