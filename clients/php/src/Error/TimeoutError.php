<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The answer, or the final status that `waitFor` waits for, did not come in time. */
final class TimeoutError extends ConnectionError
{
    /** @param object|null $last The donation that `waitFor` read last. */
    public function __construct(
        string $message,
        public readonly ?object $last = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
