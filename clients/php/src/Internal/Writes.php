<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use stdClass;

/**
 * How an object of requests is written.
 *
 * @internal
 */
trait Writes
{
    /** @internal */
    public function toWire(): stdClass
    {
        return Shape::of(static::class)->write($this);
    }
}
