<?php

declare(strict_types=1);

namespace Fundproof\Test;

use DateTimeImmutable;
use Fiber;
use Fundproof\Client;
use Fundproof\Error\AbortError;
use Fundproof\Error\AuthenticationError;
use Fundproof\Error\ConfigurationError;
use Fundproof\Error\ConnectionError;
use Fundproof\Internal\TokenSession;
use Fundproof\RequestOptions;
use Fundproof\Resource\Sandbox;
use Fundproof\TokenPair;
use Fundproof\TokenStore;
use Fundproof\Transport\FakeTransport;
use Fundproof\Transport\Request;
use Fundproof\Transport\Response;
use Fundproof\Transport\Transport;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/support.php';

final class TokensTest extends TestCase
{
    public function testRefreshesOnceWhenTheTokenHasEnded(): void
    {
        $fake = new FakeTransport([self::ended(), self::tokens('new', 'r2'), self::wallet(), self::wallet()]);
        $stored = [];
        $client = new Client(
            environment: 'sandbox',
            baseUrl: 'https://fake.test',
            transport: $fake,
            tokens: new TokenPair('old', 'r1'),
            onTokens: static function (TokenPair $pair) use (&$stored, $fake): void {
                $stored[] = [$pair->accessToken, $pair->refreshToken, count($fake->requests)];
            },
        );
        $client->sandbox->createWallet();
        $client->withOptions(timeout: 5)->sandbox->createWallet();
        self::assertSame([['new', 'r2', 2]], $stored);
        self::assertSame(
            ['Bearer old', null, 'Bearer new', 'Bearer new'],
            array_map(static fn (Request $one) => $one->headers['authorization'] ?? null, $fake->requests),
        );
        self::assertSame('{"refreshToken":"r1"}', $fake->requests[1]->body);
        self::assertSame('https://fake.test/api/auth/refresh', $fake->requests[1]->url);
    }

    public function testRefreshesThirtySecondsBeforeTheEnd(): void
    {
        $at = static fn (int $seconds) => new DateTimeImmutable('@' . (1_790_000_000 + $seconds));
        foreach ([[31, 1], [29, 2], [-5, 2]] as [$seconds, $requests]) {
            $script = $requests === 1 ? [self::wallet()] : [self::tokens('new', 'r2'), self::wallet()];
            $fake = new FakeTransport($script);
            $session = new TokenSession(new TokenPair('old', 'r1', $at($seconds)));
            (new Sandbox(sender($fake, session: $session)))->createWallet();
            self::assertCount($requests, $fake->requests, "$seconds seconds before the end");
        }
    }

    public function testARefusedRefreshIsNotTriedAgain(): void
    {
        $reused = FakeTransport::json(401, ['error' => 'Used.', 'code' => 'refresh_reused']);
        $fake = new FakeTransport([self::ended(), $reused]);
        $session = new TokenSession(new TokenPair('old', 'r1'));
        $this->expectException(AuthenticationError::class);
        (new Sandbox(sender($fake, session: $session)))->createWallet();
    }

    public function testASecondEndOfTheTokenIsAnError(): void
    {
        $fake = new FakeTransport([self::ended(), self::tokens('new', 'r2'), self::ended()]);
        $session = new TokenSession(new TokenPair('old', 'r1'));
        $this->expectException(AuthenticationError::class);
        (new Sandbox(sender($fake, session: $session)))->createWallet();
    }

    public function testARepeatedRefreshKeepsItsIdempotencyKey(): void
    {
        $lost = new ConnectionError('lost');
        $fake = new FakeTransport([
            self::ended(), $lost, $lost, $lost,
            self::ended(), self::tokens('new', 'r2'), self::wallet(),
        ]);
        $sandbox = new Sandbox(sender($fake, session: new TokenSession(new TokenPair('old', 'r1'))));
        try {
            $sandbox->createWallet();
            self::fail('The first refresh fails.');
        } catch (ConnectionError) {
            $sandbox->createWallet();
        }
        $refreshes = array_filter($fake->requests, static fn (Request $one) => str_ends_with($one->url, '/refresh'));
        $keys = array_map(static fn (Request $one) => $one->headers['idempotency-key'], $refreshes);
        self::assertCount(4, $keys);
        self::assertCount(1, array_unique($keys));
    }

    public function testTwoFibersCauseOneRefresh(): void
    {
        $transport = new class () implements Transport {
            public int $refreshes = 0;

            public function send(Request $request): Response
            {
                Fiber::suspend();
                if (str_ends_with($request->url, '/refresh')) {
                    $this->refreshes++;
                    return TokensTest::tokens('new', 'r2');
                }
                $isOld = $request->headers['authorization'] === 'Bearer old';
                return $isOld ? TokensTest::ended() : TokensTest::wallet();
            }
        };
        $session = new TokenSession(new TokenPair('old', 'r1'));
        $sandbox = new Sandbox(sender($transport, session: $session));
        $fibers = [];
        foreach (range(0, 1) as $n) {
            $fibers[$n] = new Fiber(static fn () => $sandbox->createWallet()->address);
            $fibers[$n]->start();
        }
        for ($turn = 0; $turn < 20; $turn++) {
            foreach ($fibers as $fiber) {
                if (!$fiber->isTerminated()) {
                    $fiber->resume();
                }
            }
        }
        self::assertSame(['0xabc', '0xabc'], array_map(static fn (Fiber $one) => $one->getReturn(), $fibers));
        self::assertSame(1, $transport->refreshes);
    }

    public function testAStoreSharesTheNewestPair(): void
    {
        $now = 1_790_000_000;
        $pair = static fn (string $name, ?int $left) => new TokenPair(
            "a-$name",
            "r-$name",
            $left === null ? null : new DateTimeImmutable('@' . ($now + $left)),
        );
        $reused = FakeTransport::json(401, ['error' => 'Used.', 'code' => 'refresh_reused']);
        $next = self::tokens('a-next', 'r-next');
        $cases = [
            'an empty store' => [900, null, [$next], ['own']],
            'the pair of another process' => [10, $pair('other', 900), [], []],
            'the same, by tokens without a time' => [null, $pair('other', 900), [], []],
            'an ended pair of another process' => [null, $pair('other', -9), [$next], ['other']],
            'a pair from before our sign-in' => [900, $pair('old', 800), [$next], ['own']],
            'a pair of an ended session' => [null, $pair('old', -9), [$reused, $next], ['old', 'own']],
            'a store that keeps no time' => [900, $pair('other', null), [$next], ['other']],
        ];
        foreach ($cases as $name => [$left, $stored, $script, $refreshed]) {
            $store = self::store($stored);
            $first = $left === null || $left > 30 ? [self::ended()] : [];
            $fake = new FakeTransport([...$first, ...$script, self::wallet()]);
            $session = new TokenSession($pair('own', $left), null, $store);
            (new Sandbox(sender($fake, session: $session)))->createWallet();
            $bodies = array_map(static fn (Request $one) => json_decode($one->body ?? '{}'), $fake->requests);
            $expected = array_map(static fn (string $one) => "r-$one", $refreshed);
            self::assertSame($expected, array_column($bodies, 'refreshToken'), $name);
            $bearer = $script === [] ? 'Bearer a-other' : 'Bearer a-next';
            self::assertSame($bearer, end($fake->requests)->headers['authorization'], $name);
            $log = ['lock', 'load', ...($script === [] ? [] : ['save a-next']), 'unlock'];
            self::assertSame($log, $store->log, $name);
        }
    }

    public function testAClientStartsWithTheStoredPair(): void
    {
        $start = static fn (FakeTransport $fake, mixed ...$options) => new Client(
            ...$options,
            environment: 'sandbox',
            baseUrl: 'https://fake.test',
            transport: $fake,
        );
        $fake = new FakeTransport([self::wallet()]);
        $store = self::store(new TokenPair('stored', 'r'));
        $start($fake, tokenStore: $store)->sandbox->createWallet();
        self::assertSame('Bearer stored', $fake->requests[0]->headers['authorization']);
        $this->expectException(ConfigurationError::class);
        $start($fake, tokenStore: self::store(null));
    }

    public function testTheSignalAndTheTimeoutOfACallHoldForItsRefresh(): void
    {
        $isEnded = false;
        $fake = new FakeTransport([self::ended(), function (Request $refresh) use (&$isEnded): Response {
            self::assertSame(0.5, $refresh->timeout);
            $isEnded = true;
            throw ($refresh->signal)() ? new AbortError('ended') : new ConnectionError('lost');
        }]);
        $sandbox = new Sandbox(sender($fake, session: new TokenSession(new TokenPair('old', 'r1'))));
        $signal = static function () use (&$isEnded): bool {
            return $isEnded;
        };
        $this->expectException(AbortError::class);
        $sandbox->createWallet(new RequestOptions(timeout: 0.5, signal: $signal));
    }

    public function testAKeyAndTokensTogetherAreRefused(): void
    {
        $this->expectException(ConfigurationError::class);
        new Client(
            apiKey: 'fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi',
            baseUrl: 'https://fake.test',
            tokens: new TokenPair('a', 'r'),
        );
    }

    public function testATokenThatNoHeaderMayCarryIsRefused(): void
    {
        foreach (['', 'a b', "a\nx: y", "a\0", 'ä', "a\n"] as $wrong) {
            try {
                new TokenPair($wrong, 'r');
                self::fail('Taken: ' . json_encode($wrong));
            } catch (ConfigurationError $error) {
                self::assertSame('The access token is empty, or it has a character that is no visible ASCII.', $error->getMessage());
            }
        }
        $fake = new FakeTransport([self::ended(), self::tokens("a\nx: y", 'r2')]);
        $session = new TokenSession(new TokenPair('old', 'r1'));
        $this->expectException(ConfigurationError::class);
        (new Sandbox(sender($fake, session: $session)))->createWallet();
    }

    private static function store(?TokenPair $stored): TokenStore
    {
        return new class ($stored) implements TokenStore {
            /** @var list<string> */
            public array $log = [];

            public function __construct(private readonly ?TokenPair $stored)
            {
            }

            public function lock(\Closure $work): void
            {
                $this->log[] = 'lock';
                $work();
                $this->log[] = 'unlock';
            }

            public function load(): ?TokenPair
            {
                $this->log[] = 'load';
                return $this->stored;
            }

            public function save(TokenPair $tokens): void
            {
                $this->log[] = "save $tokens->accessToken";
            }
        };
    }

    public static function ended(): Response
    {
        return FakeTransport::json(401, ['error' => 'Ended.', 'code' => 'invalid_token']);
    }

    public static function tokens(string $access, string $refresh): Response
    {
        $tokens = ['accessToken' => $access, 'refreshToken' => $refresh, 'expires' => 900];
        return FakeTransport::json(200, ['success' => true, 'tokens' => $tokens]);
    }

    public static function wallet(): Response
    {
        $wallet = ['address' => '0xabc', 'privateKey' => '0xdef'];
        return FakeTransport::json(201, ['success' => true, 'wallet' => $wallet]);
    }
}
