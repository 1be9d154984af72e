<?php

declare(strict_types=1);

namespace Fundproof;

/** A file as the service sent it. */
final class File
{
    /** @param string $type The content type, for example `image/png`. */
    public function __construct(
        public readonly string $bytes,
        public readonly string $type,
        public readonly ResponseInfo $response,
    ) {
    }
}
