<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use LogicException;
use WeakMap;

/**
 * A text that no dump, export or serialization of its holder shows: the object has no property.
 *
 * @internal
 */
final class Secret
{
    /** @var WeakMap<self, string>|null */
    private static ?WeakMap $texts = null;

    public function __construct(#[\SensitiveParameter] string $text)
    {
        self::$texts ??= new WeakMap();
        self::$texts[$this] = $text;
    }

    public function reveal(): string
    {
        return self::$texts[$this] ?? throw new LogicException('This secret was not constructed.');
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
