<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The caller does not have this permission (403). */
final class PermissionError extends ApiError
{
}
