<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The parent of all errors of this library. */
class FundproofError extends \RuntimeException
{
}
