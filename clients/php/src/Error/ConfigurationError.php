<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** An option or environment variable of the client is missing or wrong. */
final class ConfigurationError extends FundproofError
{
}
