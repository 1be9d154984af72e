<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The state of the resource does not permit the call (409). `code` says why. */
final class ConflictError extends ApiError
{
}
