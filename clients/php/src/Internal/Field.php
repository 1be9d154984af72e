<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Attribute;

/**
 * How a property is in JSON, where its name and its type do not say it.
 *
 * @internal
 */
#[Attribute(Attribute::TARGET_PARAMETER | Attribute::TARGET_PROPERTY)]
final class Field
{
    /**
     * @param string|null $name The name in JSON, where it is another one.
     * @param class-string|'map'|null $of What reads the value, or each item of a list or map.
     * @param bool $map Whether the array is a map. Other arrays are lists.
     */
    public function __construct(
        public readonly ?string $name = null,
        public readonly ?string $of = null,
        public readonly bool $map = false,
    ) {}
}
