<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The `signal` of the call asked to end it. */
final class AbortError extends ConnectionError
{
}
