<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The key or token is missing, wrong or expired (401). */
final class AuthenticationError extends ApiError
{
}
