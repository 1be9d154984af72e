<?php

declare(strict_types=1);

namespace Fundproof;

/** The default of arguments whose null has a meaning. The field is then not sent. */
enum NotGiven
{
    case Value;
}
