<?php

declare(strict_types=1);

namespace Fundproof;

use Fundproof\Internal\Shape;
use JsonSerializable;
use stdClass;

/** An object of an answer. */
abstract class Model implements JsonSerializable
{
    /** The names of the properties that dumps hide. */
    protected const SECRETS = [];

    private ?stdClass $wire = null;
    private ?ResponseInfo $response = null;

    /** Status, request id and rate limit, if this object is the whole content of an answer. */
    final public function response(): ?ResponseInfo
    {
        return $this->response;
    }

    /** Returns the object as the service sent it, with fields that are unknown to this version. */
    public function jsonSerialize(): stdClass
    {
        return $this->wire ?? (object) $this->properties();
    }

    /** @return array<string, mixed> Without secrets. */
    public function __debugInfo(): array
    {
        $shown = $this->properties();
        foreach (static::SECRETS as $name) {
            $shown[$name] = isset($shown[$name]) ? '***' : null;
        }
        return $shown;
    }

    /** @internal */
    public static function fromWire(stdClass $wire): static
    {
        /** @var static $made */
        $made = Shape::of(static::class)->read($wire);
        return $made->received($wire);
    }

    /**
     * @internal
     * @return $this
     */
    final public function received(stdClass $wire, ?ResponseInfo $response = null): static
    {
        $this->wire = $wire;
        $this->response = $response ?? $this->response;
        return $this;
    }

    /** @return array<string, mixed> */
    private function properties(): array
    {
        $all = get_object_vars($this);
        unset($all['wire'], $all['response']);
        return $all;
    }
}
