<?php

declare(strict_types=1);

namespace Fundproof;

use DateTimeImmutable;
use Fundproof\Internal\Wire;
use stdClass;
use Throwable;

/** An event whose type or form is unknown to this version of the library. */
final class UnknownEvent extends Event
{
    /** @param mixed $data As the service sent it, mostly a stdClass. */
    public function __construct(
        string $id,
        string $event,
        ?DateTimeImmutable $created,
        public readonly mixed $data,
    ) {
        parent::__construct($id, $event, $created);
    }

    /**
     * A field that the event does not have becomes an empty text.
     *
     * @internal
     */
    public static function fromWire(stdClass $wire): static
    {
        $text = static fn (mixed $value): string => is_scalar($value) ? (string) $value : '';
        try {
            $created = Wire::time($wire->created ?? null);
        } catch (Throwable) {
            $created = null;
        }
        return new self($text($wire->id ?? ''), $text($wire->event ?? ''), $created, $wire->data ?? null);
    }
}
