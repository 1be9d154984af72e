<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** No complete answer came: no connection, a broken connection, or a timeout. */
class ConnectionError extends FundproofError
{
}
