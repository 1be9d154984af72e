<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The service may not serve this caller for legal reasons (451). */
final class LegalError extends ApiError
{
}
