<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The request was refused as it is (400, 413, 415, 422). `details` names the fields. */
final class InvalidRequestError extends ApiError
{
}
