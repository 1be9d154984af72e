<?php

declare(strict_types=1);

namespace Fundproof;

/** The default of arguments for which null has its own meaning: the field is not sent. */
enum NotGiven
{
    case Value;
}
