<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** Too many requests (429). `retryAfter` is the wait in seconds. */
final class RateLimitError extends ApiError
{
}
