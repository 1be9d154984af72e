<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** One refused field, and the reason. */
final class ErrorDetail
{
    /** @param string $path The field by its names in this library, for example `amount.value`. */
    public function __construct(
        public readonly string $path,
        public readonly string $message,
    ) {
    }
}
