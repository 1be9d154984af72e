<?php

declare(strict_types=1);

// Runs the cases of a file against a faulty server, and prints the outcome of each case as a line
// of JSON (see test/clients/README.md).

use Fundproof\Client;
use Fundproof\RequestOptions;
use Fundproof\TokenPair;
use Fundproof\Webhooks;

require __DIR__ . '/../init.php';

const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';
const NUMBERS = ['NaN' => NAN, 'Infinity' => INF];

$take = static function (iterable $items, callable $read, ?int $count): array {
    $found = [];
    foreach ($items as $item) {
        $found[] = $read($item);
        if (count($found) === $count) {
            break;
        }
    }
    return $found;
};

$start = static fn (Client $fundproof, stdClass $case, RequestOptions $options): mixed => match ($case->call) {
    'read' => $fundproof->milestones->get(ID, options: $options)->id,
    'post' => $fundproof->sandbox->createWallet(options: $options)->address,
    'delete' => $fundproof->webhooks->delete(ID, options: $options),
    'wait' => $fundproof->donations->waitFor(ID, $case->options->wait ?? 10, $options)->status,
    'list' => $take($fundproof->keys->list(options: $options), static fn ($key) => $key->name, null),
    'stream' => $take(
        $fundproof->events->stream(options: $options),
        static function ($event): string {
            $raw = json_decode(json_encode($event));
            return is_object($raw->data) ? substr($raw->data->userId, -1) : $raw->event;
        },
        $case->take,
    ),
    default => null,
};

$verified = static function (stdClass $case): array {
    $body = base64_decode($case->body);
    $headers = [];
    foreach ($case->headers as [$name, $value]) {
        $headers[$name] = isset($headers[$name]) ? [...(array) $headers[$name], $value] : $value;
    }
    $tolerance = $case->tolerance ?? 300;
    $event = Webhooks::verify(
        ($case->parsed ?? false) ? json_decode($body) : $body,
        $headers,
        $case->secrets,
        NUMBERS[(string) $tolerance] ?? $tolerance,
        new DateTimeImmutable("@$case->now"),
    );
    return ['result' => 'ok', 'raw' => json_encode($event)];
};

$outcome = static function (callable $work): array {
    try {
        return $work();
    } catch (Throwable $error) {
        return [
            'result' => $error->reason ?? substr(strrchr('\\' . $error::class, '\\'), 1),
            'message' => $error->getMessage(),
            'status' => $error->status ?? null,
            'code' => $error->errorCode ?? null,
        ];
    }
};

foreach (json_decode(file_get_contents($argv[1])) as $case) {
    $given = (array) ($case->options ?? []) + ['baseUrl' => $case->baseUrl];
    $key = $given['idempotencyKey'] ?? null;
    unset($given['wait'], $given['idempotencyKey']);
    $stored = [];
    if (isset($case->tokens)) {
        $expires = $case->tokens->expires ?? null;
        $given['tokens'] = new TokenPair(
            $case->tokens->accessToken,
            $case->tokens->refreshToken,
            $expires === null ? null : new DateTimeImmutable("+$expires seconds"),
        );
        $given['onTokens'] = static function (TokenPair $pair) use (&$stored): void {
            $stored[] = [$pair->accessToken, $pair->refreshToken];
        };
    }
    $end = microtime(true) + ($case->cancelAfter ?? INF);
    $signal = static fn (): bool => microtime(true) >= $end;
    $fundproof = null;
    $calls = [];
    // PHP cannot make calls at the same time, so it makes them one after the other.
    foreach (range(1, ($case->times ?? 1) * ($case->atOnce ?? 1)) as $turn) {
        $calls[] = $outcome(function () use ($case, $given, $key, $signal, $start, $verified, &$fundproof): array {
            if ($case->call === 'verify') {
                return $verified($case);
            }
            $fundproof ??= new Client(...$given);
            $options = new RequestOptions(idempotencyKey: $key, signal: $signal);
            return ['result' => 'ok', 'value' => $start($fundproof, $case, $options)];
        });
    }
    $line = ['name' => $case->name, 'calls' => $calls, 'stored' => $stored];
    echo json_encode($line, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION), "\n";
}
