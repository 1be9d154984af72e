<?php

declare(strict_types=1);

namespace Fundproof\Test;

use DateTimeImmutable;
use Fundproof\Client;
use Fundproof\Error\ApiError;
use Fundproof\Error\ConfigurationError;
use Fundproof\Error\ConnectionError;
use Fundproof\Error\FundproofError;
use Fundproof\Error\TimeoutError;
use Fundproof\Error\WebhookVerificationError;
use Fundproof\Internal\Call;
use Fundproof\Internal\EventParser;
use Fundproof\Internal\Lists;
use Fundproof\Internal\Path;
use Fundproof\Internal\Query;
use Fundproof\Internal\Retry;
use Fundproof\Model\Money;
use Fundproof\RequestOptions;
use Fundproof\Resource\Donations;
use Fundproof\Transport\FakeTransport;
use Fundproof\Transport\Request;
use Fundproof\Transport\Response;
use Fundproof\Webhooks;
use PHPUnit\Framework\TestCase;
use stdClass;

require_once __DIR__ . '/support.php';

/** Runs the vectors that all clients run (see `clients/vectors/README.md`). */
final class VectorsTest extends TestCase
{
    public function testEveryFileHasATest(): void
    {
        $known = [
            'configuration', 'errors', 'money', 'pages', 'paths', 'queries', 'retries',
            'retry-after', 'sse', 'wait', 'webhooks',
        ];
        $files = glob(self::folder() . '/*.json');
        self::assertSame($known, array_map(static fn ($file) => basename($file, '.json'), $files));
    }

    public function testWebhooks(): void
    {
        $fields = 'headers body secrets tolerance now';
        foreach (self::cases('webhooks', $fields, 'event error', 'signers') as $name => $case) {
            $error = null;
            $event = null;
            $tolerance = property_exists($case, 'tolerance') ? $case->tolerance : 300;
            try {
                $now = new DateTimeImmutable("@$case->now");
                $headers = (array) $case->headers;
                $event = Webhooks::verify($case->body, $headers, $case->secrets, $tolerance, $now);
            } catch (WebhookVerificationError $refused) {
                $error = $refused->reason;
            }
            self::assertSame($case->expect->error ?? null, $error, $name);
            self::assertSame($case->expect->event ?? null, $event?->event, $name);
        }
    }

    public function testErrors(): void
    {
        $expect = 'class code message requestId retryAfter details requires';
        foreach (self::cases('errors', 'status headers body', $expect) as $name => $case) {
            $error = self::errorOf(static function () use ($case): void {
                $clock = new FakeClock();
                sender(new FakeTransport([self::response($case)]), $clock, 0)
                    ->send(new Call('GET', '/api/test'));
            });
            self::assertInstanceOf(ApiError::class, $error, $name);
            self::assertSame("Fundproof\\Error\\{$case->expect->class}", $error::class, $name);
            self::assertSame($case->status, $error->status, $name);
            foreach (get_object_vars($case->expect) as $field => $expected) {
                $actual = match ($field) {
                    'class' => $expected,
                    'code' => $error->errorCode,
                    // A text that is not from the service follows a description, which is removed
                    // here.
                    'message' => preg_replace('/^The answer .*? It begins: /', '', $error->getMessage()),
                    'details' => array_map(static fn ($one) => (object) (array) $one, $error->details),
                    default => $error->{$field},
                };
                self::assertEquals($expected, $actual, "$name: $field");
            }
        }
    }

    public function testRetries(): void
    {
        $fields = 'method random now maxRetries maxRetryAfter idempotencyKey answers';
        $expect = 'requests sameKey waitsMs result';
        foreach (self::cases('retries', $fields, $expect) as $name => $case) {
            $fake = new FakeTransport(array_map(self::response(...), $case->answers));
            $clock = new FakeClock($case->now, $case->random);
            $sender = sender($fake, $clock, $case->maxRetries ?? 2, $case->maxRetryAfter ?? 60);
            $options = new RequestOptions(idempotencyKey: $case->idempotencyKey ?? null);
            $error = self::errorOf(
                static fn () => $sender->send(new Call($case->method, '/api/test', options: $options)),
            );
            self::assertCount($case->expect->requests, $fake->requests, $name);
            self::assertSame($case->expect->waitsMs, $clock->waitsMs(), $name);
            self::assertSame($case->expect->result, self::classOf($error) ?? 'ok', $name);
            if ($case->expect->sameKey ?? false) {
                $keys = array_map(
                    static fn (Request $one) => $one->headers['idempotency-key'],
                    $fake->requests,
                );
                self::assertCount(1, array_unique($keys), $name);
                self::assertNotSame('', $keys[0], $name);
                self::assertSame($case->idempotencyKey ?? $keys[0], $keys[0], $name);
            }
        }
    }

    public function testMoney(): void
    {
        foreach (self::cases('money', 'in wire', 'wire error') as $name => $case) {
            if (property_exists($case, 'wire')) {
                $money = Money::fromWire((object) ['value' => $case->wire, 'currency' => 'USDC']);
                self::assertSame($case->expect, $money->value, $name);
                continue;
            }
            [$kind, $text] = is_string($case->in)
                ? ['text', $case->in]
                : [key((array) $case->in), current((array) $case->in)];
            if ($kind === 'decimal' || ($kind === 'integer' && (string) (int) $text !== $text)) {
                continue;
            }
            $amount = match ($kind) {
                'text', 'boolean' => $text,
                'integer' => (int) $text,
                'float' => (float) $text,
            };
            $wire = null;
            $error = self::errorOf(static function () use ($amount, &$wire): void {
                $wire = (new Money($amount, 'USDC'))->toWire()->value;
            });
            $isRefused = $kind === 'float' || ($case->expect->error ?? false);
            self::assertSame($isRefused, $error !== null, $name);
            self::assertSame($isRefused ? null : $case->expect->wire, $wire, $name);
        }
    }

    public function testServerSentEvents(): void
    {
        foreach (self::cases('sse', 'text', 'events lastEventId retryMs') as $name => $case) {
            $cuts = [[$case->text], str_split($case->text)];
            for ($at = 1; $at < strlen($case->text); $at++) {
                $cuts[] = [substr($case->text, 0, $at), substr($case->text, $at)];
            }
            foreach ($cuts as $cut => $pieces) {
                $parser = new EventParser();
                $events = [];
                foreach ($pieces as $piece) {
                    foreach ($parser->push($piece) as $frame) {
                        if ($frame['data'] !== null) {
                            $events[] = (object) $frame;
                        }
                    }
                }
                self::assertEquals($case->expect->events, $events, "$name, cut $cut");
                self::assertSame($case->expect->lastEventId, $parser->lastEventId, "$name, cut $cut");
                self::assertSame($case->expect->retryMs ?? null, $parser->retryMs, "$name, cut $cut");
            }
        }
    }

    public function testPaths(): void
    {
        foreach (self::cases('paths', 'segments', 'error') as $name => $case) {
            $path = null;
            $error = self::errorOf(static function () use ($case, &$path): void {
                $template = str_repeat('/{segment}', count($case->segments));
                $path = Path::of($template, ...$case->segments);
            });
            $expected = is_string($case->expect) ? $case->expect : null;
            self::assertSame($expected, $path, $name);
            self::assertSame($expected === null, $error !== null, $name);
        }
    }

    public function testQueries(): void
    {
        foreach (self::cases('queries', 'query') as $name => $case) {
            $query = Query::of((array) $case->query);
            self::assertSame($case->expect, ltrim($query, '?'), $name);
            self::assertSame($case->expect === '', $query === '', $name);
        }
    }

    public function testRetryAfter(): void
    {
        foreach (self::cases('retry-after', 'header now') as $name => $case) {
            self::assertEquals($case->expect, Retry::after($case->header, $case->now), $name);
            self::assertSame($case->expect === null, Retry::after($case->header, $case->now) === null);
        }
    }

    public function testConfiguration(): void
    {
        foreach (self::cases('configuration', 'options env', 'ok error mentions') as $name => $case) {
            $client = null;
            $error = self::errorOf(static function () use ($case, &$client): void {
                $client = self::withVariables(
                    (array) $case->env,
                    static fn (): Client => new Client(...(array) $case->options),
                );
            });
            if (isset($case->expect->ok)) {
                self::assertNull($error, $name);
                self::assertEquals((array) $case->expect->ok, $client->__debugInfo(), $name);
                continue;
            }
            self::assertInstanceOf(ConfigurationError::class, $error, $name);
            foreach ($case->expect->mentions ?? [] as $text) {
                self::assertStringContainsString($text, $error->getMessage(), $name);
            }
            $key = $case->options->apiKey ?? $case->env->FUNDPROOF_API_KEY ?? '';
            if ($key !== '') {
                self::assertStringNotContainsString($key, (string) $error, $name);
            }
        }
    }

    public function testPages(): void
    {
        $fields = 'by wire query take pages';
        foreach (self::cases('pages', $fields, 'requests items error') as $name => $case) {
            $fake = new FakeTransport(array_map(
                static fn (stdClass $page) => FakeTransport::json(
                    $page->status ?? 200,
                    isset($page->status) ? $page->body : self::fullPage($page, $case->wire),
                ),
                $case->pages,
            ));
            $list = $case->by === 'cursor' ? Lists::byCursor(...) : Lists::byPosition(...);
            $read = static fn (stdClass $item): string => $item->id;
            $items = [];
            $error = self::errorOf(static function () use ($list, $fake, $case, $read, &$items): void {
                $call = new Call('GET', '/api/test', query: (array) $case->query);
                $page = $list(sender($fake), $call, $case->wire, $read);
                foreach ($page as $item) {
                    $items[] = $item;
                    if (count($items) === ($case->take ?? -1)) {
                        break;
                    }
                }
            });
            self::assertSame($case->expect->error ?? false, $error instanceof FundproofError, $name);
            self::assertSame(self::idsOf($case->expect->items), $items, $name);
            $queries = array_map(
                static fn (Request $one) => self::sorted(parse_url($one->url, PHP_URL_QUERY)),
                $fake->requests,
            );
            self::assertSame(array_map(self::sorted(...), $case->expect->requests), $queries, $name);
        }
    }

    public function testWait(): void
    {
        $donation = self::file('wait')->donation;
        $fields = 'now random timeout polls';
        $expect = 'requests waitsMs result last';
        foreach (self::cases('wait', $fields, $expect, 'donation') as $name => $case) {
            $fake = new FakeTransport(array_map(
                static fn (stdClass $poll) => FakeTransport::json(200, (array) $poll + (array) $donation),
                $case->polls,
            ));
            $clock = new FakeClock($case->now, $case->random);
            $donations = new Donations(sender($fake, $clock));
            $done = null;
            $error = self::errorOf(static function () use ($donations, $donation, $case, &$done): void {
                $done = $donations->waitFor($donation->id, timeout: $case->timeout);
            });
            self::assertCount($case->expect->requests, $fake->requests, $name);
            self::assertSame(count($case->expect->waitsMs), count($clock->waitsMs()), $name);
            foreach ($case->expect->waitsMs as $at => $wait) {
                self::assertEqualsWithDelta($wait, $clock->waitsMs()[$at], 1, $name);
            }
            self::assertSame($case->expect->result, $error === null ? $done->status : 'timeout', $name);
            if ($error !== null) {
                self::assertInstanceOf(TimeoutError::class, $error, $name);
                self::assertSame($case->expect->last, $error->last->status, $name);
            }
        }
    }

    private static function folder(): string
    {
        return getenv('FUNDPROOF_VECTORS') ?: __DIR__ . '/../../vectors';
    }

    private static function file(string $name): stdClass
    {
        $json = file_get_contents(self::folder() . "/$name.json");
        return json_decode($json, flags: JSON_THROW_ON_ERROR);
    }

    /**
     * The cases of a file by their names. Fails if the file has fields that the test does not know.
     *
     * @return iterable<string, stdClass>
     */
    private static function cases(
        string $file,
        string $fields,
        string $expect = '',
        string $more = '',
    ): iterable {
        $content = self::file($file);
        self::assertKnown($content, "about defaults values cases $more", $file);
        self::assertNotEmpty($content->cases);
        foreach ($content->cases as $given) {
            $all = (array) $given + (array) ($content->defaults ?? []);
            $case = self::filled((object) $all, $content->values ?? new stdClass());
            self::assertKnown($case, "name expect $fields", "$file: $case->name");
            if ($case->expect instanceof stdClass) {
                self::assertKnown($case->expect, $expect, "$file: $case->name");
            }
            yield $case->name => $case;
        }
    }

    /** Replaces the names in a part of a case by their values. */
    private static function filled(mixed $part, stdClass $values): mixed
    {
        if (is_string($part) && str_starts_with($part, '$')) {
            return self::filled($values->{substr($part, 1)}, $values);
        }
        $fill = static fn (mixed $inner): mixed => self::filled($inner, $values);
        return match (true) {
            is_array($part) => array_map($fill, $part),
            $part instanceof stdClass => (object) array_map($fill, get_object_vars($part)),
            default => $part,
        };
    }

    /**
     * A number of items stands for the ids `i0`, `i1` and so on.
     *
     * @return list<string>
     */
    private static function idsOf(array|int $items): array
    {
        return is_int($items) ? array_map(static fn (int $at) => "i$at", range(0, $items - 1)) : $items;
    }

    private static function fullPage(stdClass $page, string $wire): stdClass
    {
        if (is_int($page->{$wire})) {
            $page->{$wire} = array_map(static fn ($id) => ['id' => $id], self::idsOf($page->{$wire}));
        }
        return $page;
    }

    private static function assertKnown(stdClass $object, string $fields, string $where): void
    {
        $unknown = array_diff(array_keys(get_object_vars($object)), explode(' ', $fields));
        self::assertSame([], array_values($unknown), $where);
    }

    private static function response(stdClass $answer): Response|ConnectionError
    {
        return match ($answer->fault ?? null) {
            'connection' => new ConnectionError('The connection was lost.'),
            'timeout' => new TimeoutError('The time is over.'),
            null => new Response(
                $answer->status,
                (array) $answer->headers,
                is_string($answer->body ?? '') ? $answer->body ?? '' : json_encode($answer->body),
            ),
        };
    }

    private static function errorOf(callable $act): ?\Throwable
    {
        try {
            $act();
            return null;
        } catch (FundproofError | \TypeError | \ValueError $error) {
            return $error;
        }
    }

    private static function classOf(?\Throwable $error): ?string
    {
        return $error === null ? null : (new \ReflectionClass($error))->getShortName();
    }

    private static function sorted(string $query): string
    {
        $parts = explode('&', $query);
        sort($parts);
        return implode('&', $parts);
    }

    /** @param array<string, string> $variables */
    private static function withVariables(array $variables, callable $act): mixed
    {
        $names = ['FUNDPROOF_API_KEY', 'FUNDPROOF_ENVIRONMENT', 'FUNDPROOF_BASE_URL'];
        $before = array_map(getenv(...), array_combine($names, $names));
        try {
            array_map(static fn ($name) => putenv($name), $names);
            foreach ($variables as $name => $value) {
                putenv("$name=$value");
            }
            return $act();
        } finally {
            foreach ($before as $name => $value) {
                putenv($value === false ? $name : "$name=$value");
            }
        }
    }
}
