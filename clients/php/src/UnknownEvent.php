<?php

declare(strict_types=1);

namespace Fundproof;

use DateTimeImmutable;
use stdClass;

/** An event whose type or form this version of the library does not know. */
final class UnknownEvent extends Event
{
    public function __construct(
        string $id,
        string $event,
        DateTimeImmutable $created,
        public readonly stdClass $data,
    ) {
        parent::__construct($id, $event, $created);
    }

    /** @internal */
    public static function fromWire(stdClass $wire): self
    {
        $created = new DateTimeImmutable($wire->created);
        return (new self($wire->id, $wire->event, $created, $wire->data))->received($wire);
    }
}
