<?php

declare(strict_types=1);

namespace Fundproof;

use DateTimeImmutable;
use Fundproof\Error\FundproofError;
use Fundproof\Event\EventTypes;
use Fundproof\Internal\Wire;
use stdClass;
use Throwable;
use TypeError;

/** Something that happened, as webhooks, the feed and the stream report it. */
abstract class Event extends Model
{
    /** @param string $event The type, one of `Fundproof\Model\EventType` or a newer one. */
    public function __construct(
        public readonly string $id,
        public readonly string $event,
        public readonly DateTimeImmutable $created,
    ) {
    }

    /** Whether it never happened: you or the sandbox asked for a sample. Do not book it. */
    public function isTest(): bool
    {
        return ($this->jsonSerialize()->test ?? false) === true;
    }

    /** @internal */
    public static function fromWire(stdClass $wire): self
    {
        $class = EventTypes::CLASSES[$wire->event ?? ''] ?? UnknownEvent::class;
        try {
            return $class::fromWire($wire);
        } catch (TypeError) {
            // One event that has another form must not block the feed.
            return UnknownEvent::fromWire($wire);
        }
    }

    /** @internal */
    public static function parse(string $json): self
    {
        try {
            return self::fromWire(Wire::read($json) ?? throw new \ValueError('It is no JSON object.'));
        } catch (Throwable $error) {
            throw new FundproofError("This is no event that can be read. {$error->getMessage()}");
        }
    }
}
