<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use DateTimeImmutable;
use DateTimeInterface;
use DateTimeZone;
use Fundproof\NotGiven;
use JsonException;
use stdClass;
use ValueError;

/**
 * Converts between values of PHP and JSON. Objects are stdClass, because an empty PHP array can
 * mean `{}` or `[]`.
 *
 * @internal
 */
final class Wire
{
    private const WRITE = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
        | JSON_PRESERVE_ZERO_FRACTION;

    /** @throws ValueError for a text that is not UTF-8, and for infinite numbers */
    public static function write(#[\SensitiveParameter] mixed $value): string
    {
        try {
            return json_encode(self::plain($value), self::WRITE);
        } catch (JsonException $error) {
            throw new ValueError("The request cannot be written as JSON: {$error->getMessage()}.");
        }
    }

    /** Parses the object of a JSON text. Returns null for other text. */
    public static function read(string $json): ?stdClass
    {
        $value = json_decode($json, false, 512, JSON_BIGINT_AS_STRING);
        return $value instanceof stdClass ? $value : null;
    }

    /**
     * Makes an object of the fields that are given.
     *
     * @param array<string, mixed> $fields
     */
    public static function object(#[\SensitiveParameter] array $fields): stdClass
    {
        $object = new stdClass();
        foreach ($fields as $name => $value) {
            if ($value !== NotGiven::Value) {
                $object->{$name} = self::plain($value);
            }
        }
        return $object;
    }

    /**
     * Makes an object of a map, also of an empty map.
     *
     * @param array<string, mixed>|NotGiven|null $map
     */
    public static function map(array|NotGiven|null $map): stdClass|NotGiven|null
    {
        return is_array($map) ? (object) array_map(self::plain(...), $map) : $map;
    }

    /**
     * Makes a list of an array, also if its keys have gaps.
     *
     * @param array<mixed>|NotGiven|null $items
     * @return list<mixed>|NotGiven|null
     */
    public static function list(array|NotGiven|null $items): array|NotGiven|null
    {
        return is_array($items) ? array_values($items) : $items;
    }

    /** Reads a time. */
    public static function time(string $text): DateTimeImmutable
    {
        return new DateTimeImmutable($text);
    }

    /** Writes a time in UTC with milliseconds. */
    public static function timeText(DateTimeInterface $time): string
    {
        return DateTimeImmutable::createFromInterface($time)
            ->setTimezone(new DateTimeZone('UTC'))
            ->format('Y-m-d\TH:i:s.v\Z');
    }

    /**
     * Reads each item of a list.
     *
     * @template T
     * @param list<mixed> $items
     * @param callable(mixed): T $read
     * @return list<T>
     */
    public static function each(array $items, callable $read): array
    {
        return array_map($read, $items);
    }

    /**
     * Reads each value of a map.
     *
     * @template T
     * @param (callable(mixed): T)|null $read
     * @return array<string, T>
     */
    public static function values(stdClass $map, ?callable $read = null): array
    {
        $values = get_object_vars($map);
        return $read === null ? $values : array_map($read, $values);
    }

    private static function plain(#[\SensitiveParameter] mixed $value): mixed
    {
        return match (true) {
            $value instanceof Input => $value->toWire(),
            $value instanceof DateTimeInterface => self::timeText($value),
            is_array($value) => array_map(self::plain(...), $value),
            default => $value,
        };
    }
}
