<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use LogicException;
use WeakMap;

/**
 * A value that no dump, export or serialization of its holder shows: the object has no property.
 *
 * @internal
 */
final class Secret
{
    /** @var WeakMap<self, mixed>|null */
    private static ?WeakMap $values = null;

    public function __construct(#[\SensitiveParameter] mixed $value)
    {
        self::$values ??= new WeakMap();
        self::$values[$this] = $value;
    }

    public function reveal(): mixed
    {
        return self::$values[$this] ?? throw new LogicException('This secret was not constructed.');
    }

    public function __clone()
    {
        throw new LogicException('Secrets are not cloned.');
    }

    /** @return array<string, mixed> */
    public function __serialize(): array
    {
        throw new LogicException('Secrets are not serialized.');
    }
}
