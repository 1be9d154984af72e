<?php

declare(strict_types=1);

namespace Fundproof;

use DateTimeImmutable;
use Fundproof\Error\FundproofError;
use Fundproof\Event\EventTypes;
use Fundproof\Internal\Wire;
use stdClass;
use Throwable;

/** An event of the service, as webhooks, the feed and the stream report it. */
abstract class Event extends Model
{
    /**
     * @param string $id The id of the event, also in the header `webhook-id`.
     * @param string $event The type: of `Fundproof\Model\EventType`, or newer.
     * @param DateTimeImmutable|null $created Null only in an `UnknownEvent` without a time.
     */
    public function __construct(
        public readonly string $id,
        public readonly string $event,
        public readonly ?DateTimeImmutable $created,
    ) {
    }

    /**
     * Whether the event is a sample that you or the sandbox asked for. No money moved for a sample.
     */
    public function isTest(): bool
    {
        return ($this->jsonSerialize()->test ?? false) === true;
    }

    /** @internal */
    public static function fromWire(stdClass $wire): static
    {
        $type = $wire->event ?? null;
        $class = is_string($type) ? EventTypes::CLASSES[$type] ?? null : null;
        try {
            $data = $class === null ? null : "{$class}Data"::fromWire($wire->data ?? null);
            $event = $class === null
                ? UnknownEvent::fromWire($wire)
                : new $class($wire->id ?? null, $type, Wire::time($wire->created ?? null), $data);
        } catch (Throwable) {
            // A malformed event must not block the feed.
            $event = UnknownEvent::fromWire($wire);
        }
        /** @var static $event */
        return $event->received($wire);
    }

    /** @internal */
    public static function parse(string $json): self
    {
        $wire = Wire::read($json) ?? throw new FundproofError('This is no event: it is no JSON object.');
        return self::fromWire($wire);
    }
}
