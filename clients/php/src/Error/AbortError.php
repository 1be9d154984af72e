<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** The `signal` of a call has ended the call. */
final class AbortError extends ConnectionError
{
}
