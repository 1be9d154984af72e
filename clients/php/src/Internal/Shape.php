<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Closure;
use DateTimeInterface;
use Fundproof\Model;
use Fundproof\NotGiven;
use ReflectionMethod;
use ReflectionNamedType;
use ReflectionParameter;
use stdClass;

/**
 * Reads and writes the objects of one class, by the parameters of its constructor.
 *
 * @internal
 */
final class Shape
{
    /** @var array<class-string, self> */
    private static array $known = [];

    /** @var array<string, array{string, Closure|null, bool, bool, bool}> By names of properties. */
    private array $fields = [];

    /** @param class-string $class */
    public static function of(string $class): self
    {
        return self::$known[$class] ??= new self($class);
    }

    /** @param class-string $class */
    private function __construct(private readonly string $class)
    {
        foreach ((new ReflectionMethod($class, '__construct'))->getParameters() as $parameter) {
            $attributes = $parameter->getAttributes(Field::class);
            $field = $attributes === [] ? new Field() : $attributes[0]->newInstance();
            $this->fields[$parameter->getName()] = [
                $field->name ?? $parameter->getName(),
                self::reader($parameter, $field),
                $parameter->allowsNull(),
                $parameter->isOptional() && $parameter->getDefaultValue() === null,
                $field->map,
            ];
        }
    }

    /** Makes an object of the class. A value of a wrong type is a TypeError. */
    public function read(stdClass $wire): object
    {
        $values = [];
        foreach ($this->fields as [$name, $read, $isNullable]) {
            $value = $wire->{$name} ?? null;
            $values[] = $read === null || ($value === null && $isNullable) ? $value : $read($value);
        }
        return new $this->class(...$values);
    }

    /** Writes an object of the class. Leaves out fields that were not given. */
    public function write(Input $object): stdClass
    {
        $written = [];
        foreach ($this->fields as $property => [$name, , , $isOptional, $isMap]) {
            $value = $object->{$property} ?? ($isOptional ? NotGiven::Value : null);
            $isList = is_array($value) && !$isMap;
            $written[$name] = $isList ? Wire::list($value) : ($isMap ? Wire::map($value) : $value);
        }
        return Wire::object($written);
    }

    /**
     * Returns the function that reads a parameter's value, or null if the value needs no
     * conversion.
     */
    private static function reader(ReflectionParameter $parameter, Field $field): ?Closure
    {
        $type = $parameter->getType();
        if (!$type instanceof ReflectionNamedType || $type->getName() !== 'array') {
            $isClass = $type instanceof ReflectionNamedType && !$type->isBuiltin();
            return self::readerOf($field->of ?? ($isClass ? $type->getName() : null));
        }
        $read = self::readerOf($field->of);
        if ($field->map) {
            return static fn (stdClass $map): array => Wire::values($map, $read);
        }
        return $read === null ? null : static fn (array $items): array => Wire::each($items, $read);
    }

    private static function readerOf(?string $class): ?Closure
    {
        return match (true) {
            $class === null => null,
            $class === 'map' => Wire::values(...),
            is_subclass_of($class, Model::class) => $class::fromWire(...),
            is_a($class, DateTimeInterface::class, true) => Wire::time(...),
            method_exists($class, 'read') => $class::read(...),
            default => null,
        };
    }
}
