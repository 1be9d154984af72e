<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The request is wrong (400, 413, 415, 422). `details` names the refused fields. */
final class InvalidRequestError extends ApiError
{
}
