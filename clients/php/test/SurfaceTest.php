<?php

declare(strict_types=1);

namespace Fundproof\Test;

use Fundproof\Client;
use Fundproof\Event;
use Fundproof\Event\EventTypes;
use Fundproof\Model\ErrorCode;
use Fundproof\Model\EventType;
use Fundproof\Resource\Spec;
use Fundproof\Transport\FakeTransport;
use PHPUnit\Framework\TestCase;
use ReflectionClass;
use ReflectionMethod;
use ReflectionNamedType;
use ReflectionObject;

/** Reads the public surface by reflection. */
final class SurfaceTest extends TestCase
{
    private const BY_HAND = ['donations.waitFor'];

    public function testEveryFileHasOneClassOfItsNameAndStrictTypes(): void
    {
        foreach (self::classes() as $file => $class) {
            $code = file_get_contents($file);
            self::assertStringContainsString("\ndeclare(strict_types=1);\n", $code, $file);
            self::assertTrue(
                class_exists($class) || interface_exists($class) || trait_exists($class),
                "$file has no $class.",
            );
        }
    }

    public function testEveryPublicMethodHasTypesAndADocumentation(): void
    {
        foreach (self::classes() as $class) {
            $reflection = new ReflectionClass($class);
            if (str_contains((string) $reflection->getDocComment(), '@internal')) {
                continue;
            }
            self::assertNotFalse($reflection->getDocComment(), "$class has no documentation.");
            foreach ($reflection->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
                if (!$method->isInternal() && $method->getDeclaringClass()->getName() === $class) {
                    self::assertDescribed($method, "$class::{$method->getName()}");
                }
            }
        }
    }

    public function testNoMethodIsMissing(): void
    {
        $fundproof = self::client();
        $found = [];
        foreach (self::resources($fundproof) as $path => $resource) {
            foreach ((new ReflectionObject($resource))->getMethods(ReflectionMethod::IS_PUBLIC) as $one) {
                if (!$one->isConstructor()) {
                    $found[] = "$path.{$one->getName()}";
                }
            }
        }
        $expected = [...array_keys(Spec::OPERATIONS), ...self::BY_HAND];
        sort($found);
        sort($expected);
        self::assertSame($expected, $found);
    }

    public function testEveryEventHasAClass(): void
    {
        self::assertSame(EventType::VALUES, array_keys(EventTypes::CLASSES));
        foreach (EventTypes::CLASSES as $type => $class) {
            self::assertSame($type, $class::TYPE);
            self::assertTrue(is_subclass_of($class, Event::class));
        }
    }

    public function testEnumsAreConstantsOfText(): void
    {
        self::assertSame('not_found', ErrorCode::NOT_FOUND);
        foreach (self::classes() as $class) {
            if (defined("$class::VALUES")) {
                $constants = (new ReflectionClass($class))->getConstants();
                unset($constants['VALUES']);
                self::assertSame(array_values($constants), $class::VALUES, $class);
            }
        }
    }

    private static function assertDescribed(ReflectionMethod $method, string $name): void
    {
        $isPlain = $method->isConstructor() || $method->getName() === '__destruct';
        self::assertTrue($isPlain || $method->hasReturnType(), "$name has no return type.");
        self::assertTrue($isPlain || $method->getDocComment() !== false, "$name has no documentation.");
        foreach ($method->getParameters() as $parameter) {
            self::assertTrue($parameter->hasType(), "$name: \${$parameter->getName()} has no type.");
            $type = $parameter->getType();
            if ($type instanceof ReflectionNamedType && $type->getName() === 'array') {
                $variable = "\${$parameter->getName()}";
                $docs = (string) $method->getDocComment();
                self::assertStringContainsString($variable, $docs, "$name: $variable is any array.");
            }
        }
    }

    private static function client(): Client
    {
        return new Client(
            environment: 'sandbox',
            baseUrl: 'https://fake.test',
            transport: new FakeTransport(),
        );
    }

    /** @return iterable<string, object> */
    private static function resources(object $of, string $path = ''): iterable
    {
        foreach (get_object_vars($of) as $name => $inner) {
            $isGroup = get_object_vars($inner) !== [];
            yield from $isGroup ? self::resources($inner, "$path$name.") : ["$path$name" => $inner];
        }
    }

    /** @return array<string, string> The class of each file of the library. */
    private static function classes(): array
    {
        $root = realpath(__DIR__ . '/../src');
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($root));
        $classes = [];
        foreach ($files as $file) {
            if ($file->getExtension() === 'php') {
                $name = substr($file->getPathname(), strlen($root) + 1, -strlen('.php'));
                $classes[$file->getPathname()] = 'Fundproof\\' . strtr($name, '/', '\\');
            }
        }
        return $classes;
    }
}
