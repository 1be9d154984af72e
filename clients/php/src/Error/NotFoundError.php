<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The resource or route does not exist (404, 405). */
final class NotFoundError extends ApiError
{
}
