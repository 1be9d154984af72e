<?php

declare(strict_types=1);

namespace Fundproof;

/** The default of arguments for which null has a meaning. A field with this default is not sent. */
enum NotGiven
{
    case Value;
}
