<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Attribute;

/**
 * The form of a property in JSON, if it does not follow from the property's name and type.
 *
 * @internal
 */
#[Attribute(Attribute::TARGET_PARAMETER | Attribute::TARGET_PROPERTY)]
final class Field
{
    /**
     * @param string|null $name The name in JSON, if it differs from the property's name.
     * @param class-string|'map'|null $of The class that reads the value, or each item of a list
     *     or map.
     * @param bool $map Whether the array is a map. Other arrays are lists.
     */
    public function __construct(
        public readonly ?string $name = null,
        public readonly ?string $of = null,
        public readonly bool $map = false,
    ) {}
}
