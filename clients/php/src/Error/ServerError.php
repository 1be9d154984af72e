<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The service failed (5xx). `requestId` helps its operators. */
final class ServerError extends ApiError
{
}
