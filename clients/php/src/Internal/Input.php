<?php

declare(strict_types=1);

namespace Fundproof\Internal;

/**
 * An object that a request may carry.
 *
 * @internal
 */
interface Input
{
    /** The object as the service names its fields. */
    public function toWire(): \stdClass;
}
