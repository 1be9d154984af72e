<?php

declare(strict_types=1);

// Calls the scripted server of `test/clients`, whose README describes each scenario.

use Fundproof\Client;
use Fundproof\Error\ApiError;
use Fundproof\Error\PermissionError;
use Fundproof\Error\TimeoutError;
use Fundproof\Event\UserVerified;
use Fundproof\RequestOptions;
use Fundproof\TokenPair;

require __DIR__ . '/../init.php';

const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

$client = static fn (string $scenario, mixed ...$options): Client => new Client(
    ...$options,
    environment: 'sandbox',
    baseUrl: getenv('FUNDPROOF_BASE_URL') . "/$scenario",
);

$check = static function (bool $isRight, string $expected): void {
    if (!$isRight) {
        throw new LogicException("Expected: $expected");
    }
};

$isWallet = static fn (Client $fundproof): bool =>
    str_starts_with($fundproof->sandbox->createWallet()->address, '0x');

/** @param class-string<Throwable> $class */
$throws = static function (string $class, callable $act) use ($check): Throwable {
    try {
        $act();
    } catch (Throwable $error) {
        $check($error::class === $class, "$class, not " . $error::class);
        return $error;
    }
    throw new LogicException("Expected: $class");
};

$timesOut = static function (string $scenario) use ($client, $check, $throws): void {
    $start = microtime(true);
    $options = new RequestOptions(timeout: 0.5, maxRetries: 0);
    $read = static fn () => $client($scenario)->milestones->get(ID, options: $options);
    $throws(TimeoutError::class, $read);
    $check(microtime(true) - $start < 5, 'an error within 5 seconds');
};

$givesStatus = static function (string $scenario, int $status) use ($client, $check, $throws): void {
    $read = static fn () => $client($scenario)->milestones->get(ID);
    $check($throws(ApiError::class, $read)->status === $status, "status $status");
};

$scenarios = [
    'drop-before' => fn () => $check($isWallet($client('drop-before')), 'a wallet'),
    'drop-within' => fn () => $check($isWallet($client('drop-within')), 'a wallet'),
    'drop-after' => function () use ($client, $check, $isWallet): void {
        $fundproof = $client('drop-after');
        foreach (range(1, 3) as $turn) {
            $check($isWallet($fundproof), "wallet $turn");
        }
    },
    'stall-head' => fn () => $timesOut('stall-head'),
    'stall-body' => fn () => $timesOut('stall-body'),
    'drip' => fn () => $timesOut('drip'),
    'truncated' => fn () => $givesStatus('truncated', 200),
    'chunks' => function () use ($client, $check): void {
        $address = $client('chunks')->sandbox->createWallet()->address;
        $check($address === 'Zoë ☂ 𝄞', 'all characters');
    },
    'retry-date' => fn () => $check($isWallet($client('retry-date')), 'a wallet'),
    'redirect' => fn () => $givesStatus('redirect', 302),
    'pages' => function () use ($client, $check): void {
        $names = [];
        foreach ($client('pages')->keys->list() as $key) {
            $names[] = $key->name;
        }
        $expected = array_map(static fn (int $n): string => "key $n", range(1, 30));
        $check($names === $expected, '30 keys in their order');
    },
    'stream' => function () use ($client, $check): void {
        $last = [];
        foreach ($client('stream')->events->stream() as $event) {
            $check($event instanceof UserVerified, 'user.verified');
            $last[] = substr($event->data->userId, -1);
            if (count($last) === 5) {
                break;
            }
        }
        $check($last === ['1', '2', '3', '4', '5'], 'each event once, not ' . implode(',', $last));
    },
    'stream-refused' => function () use ($client, $throws): void {
        $throws(PermissionError::class, static function () use ($client): void {
            foreach ($client('stream-refused')->events->stream() as $event) {
                throw new LogicException('Expected no event.');
            }
        });
    },
    'refresh' => function () use ($client, $check, $isWallet): void {
        $stored = [];
        $fundproof = $client(
            'refresh',
            tokens: new TokenPair('old', 'refresh-1'),
            onTokens: static function (TokenPair $pair) use (&$stored): void {
                $stored[] = [$pair->accessToken, $pair->refreshToken];
            },
        );
        $check($isWallet($fundproof) && $isWallet($fundproof), 'two wallets');
        $check($stored === [['new', 'refresh-2']], 'one refresh');
    },
];

foreach ($scenarios as $name => $scenario) {
    try {
        $scenario();
    } catch (Throwable $error) {
        fwrite(STDERR, "$name: $error\n");
        exit(1);
    }
    echo "ok $name\n";
}
