<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The `signal` of the call ended it. */
final class AbortError extends ConnectionError
{
}
