<?php

declare(strict_types=1);

namespace Fundproof\Test;

use DateTimeImmutable;
use Fundproof\Client;
use Fundproof\Error\AbortError;
use Fundproof\Error\ApiError;
use Fundproof\Error\ConfigurationError;
use Fundproof\Error\ConflictError;
use Fundproof\Error\ConnectionError;
use Fundproof\Error\FundproofError;
use Fundproof\Error\NotFoundError;
use Fundproof\Error\TimeoutError;
use Fundproof\Internal\TokenSession;
use Fundproof\Model\BeneficiariesInput;
use Fundproof\Model\DonorChange;
use Fundproof\Model\LocationInput;
use Fundproof\Model\MetricInput;
use Fundproof\Model\MilestoneInput;
use Fundproof\Model\Money;
use Fundproof\Model\PaymentByTransfer;
use Fundproof\Model\PaymentMethod;
use Fundproof\Model\Readiness;
use Fundproof\Model\SigningKeys;
use Fundproof\RequestOptions;
use Fundproof\Resource\Donations;
use Fundproof\TokenPair;
use Fundproof\Transport\FakeTransport;
use Fundproof\Transport\Response;
use PHPUnit\Framework\TestCase;
use stdClass;
use TypeError;
use ValueError;

require_once __DIR__ . '/support.php';
require_once __DIR__ . '/TokensTest.php';

final class ClientTest extends TestCase
{
    private const KEY = 'fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi';
    private const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

    public function testSendsWhatEachRequestNeeds(): void
    {
        $fake = new FakeTransport([self::wallet()]);
        self::client($fake, appInfo: 'Shop/2.1')->sandbox->createWallet();
        $request = $fake->requests[0];
        self::assertSame('POST', $request->method);
        self::assertSame('https://fake.test/api/sandbox/wallet', $request->url);
        self::assertNull($request->body);
        self::assertSame(self::KEY, $request->headers['x-api-key']);
        self::assertSame('amounts=text', $request->headers['prefer']);
        self::assertMatchesRegularExpression('/^auto_[0-9a-f-]{36}$/', $request->headers['idempotency-key']);
        $agent = '~^fundproof-php/\S+ \(PHP [\d.]+\S*; \w+\) Shop/2\.1$~';
        self::assertMatchesRegularExpression($agent, $request->headers['user-agent']);
        self::assertArrayNotHasKey('content-type', $request->headers);
    }

    public function testOnlyAPostGetsAKeyAndTheOwnOneWins(): void
    {
        $fake = new FakeTransport([self::wallet(), self::wallet(), self::deleted()]);
        $client = self::client($fake);
        $client->sandbox->createWallet(new RequestOptions(idempotencyKey: 'mine'));
        $client->sandbox->createWallet();
        $client->keys->revoke(self::ID);
        self::assertSame('mine', $fake->requests[0]->headers['idempotency-key']);
        self::assertNotSame('mine', $fake->requests[1]->headers['idempotency-key']);
        self::assertArrayNotHasKey('idempotency-key', $fake->requests[2]->headers);
    }

    public function testAnEmptyIdempotencyKeyCountsAsNone(): void
    {
        $fake = new FakeTransport([self::wallet(), self::deleted()]);
        $client = self::client($fake);
        $client->sandbox->createWallet(new RequestOptions(idempotencyKey: ''));
        $client->keys->revoke(self::ID, new RequestOptions(idempotencyKey: ''));
        self::assertMatchesRegularExpression('/^auto_/', $fake->requests[0]->headers['idempotency-key']);
        self::assertArrayNotHasKey('idempotency-key', $fake->requests[1]->headers);
    }

    public function testAGuestSendsNoKeyAndASignInNeither(): void
    {
        $fake = new FakeTransport([self::wallet(), self::login()]);
        $guest = new Client(environment: 'sandbox', baseUrl: 'https://fake.test', transport: $fake);
        $guest->sandbox->createWallet();
        self::client($fake)->auth->login(username: 'ada', password: 'secret');
        self::assertArrayNotHasKey('x-api-key', $fake->requests[0]->headers);
        self::assertArrayNotHasKey('x-api-key', $fake->requests[1]->headers);
    }

    public function testNullIsSentAndAbsentIsNot(): void
    {
        $fake = new FakeTransport([self::refused(), self::refused(), self::refused()]);
        $campaigns = self::client($fake)->campaigns;
        self::ignoreErrors(fn () => $campaigns->update(self::ID));
        self::ignoreErrors(fn () => $campaigns->update(self::ID, title: 'New', category: null));
        self::ignoreErrors(fn () => self::client($fake)->donations->update(
            self::ID,
            donor: new DonorChange(name: null),
        ));
        self::assertSame('{}', $fake->requests[0]->body);
        self::assertSame('{"title":"New","category":null}', $fake->requests[1]->body);
        self::assertSame('{"donor":{"name":null}}', $fake->requests[2]->body);
    }

    public function testWritesObjectsListsTimesAndAmounts(): void
    {
        $fake = new FakeTransport([self::refused(), self::refused(), self::refused()]);
        $client = self::client($fake);
        self::ignoreErrors(fn () => $client->campaigns->create(
            title: 'Wasser für alle',
            description: 'a/b',
            targetAmount: 1000,
            milestones: [2 => new MilestoneInput(description: 'Dig', amount: '25.10')],
            location: new LocationInput(country: 'KE', coordinates: [36.8, -1]),
            endsAt: new DateTimeImmutable('2027-01-31T12:00:00.250+01:00'),
        ));
        self::assertSame(
            '{"title":"Wasser für alle","description":"a/b","target_amount":"1000",'
            . '"milestones":[{"description":"Dig","amount":"25.10"}],'
            . '"location":{"country":"KE","coordinates":[36.8,-1]},'
            . '"ends_at":"2027-01-31T11:00:00.250Z"}',
            $fake->requests[0]->body,
        );
        self::ignoreErrors(fn () => $client->auth->changeAccount(profile: []));
        self::assertSame('{"profile":{}}', $fake->requests[1]->body);
        self::ignoreErrors(fn () => $client->impact->report(
            campaignId: self::ID,
            metrics: [new MetricInput(name: 'wells', current: '3')],
            beneficiaries: new BeneficiariesInput(),
        ));
        self::assertStringContainsString('"beneficiaries":{}', $fake->requests[2]->body);
    }

    public function testRefusesFloatsAndWrongIdsBeforeARequest(): void
    {
        $fake = new FakeTransport();
        $client = self::client($fake);
        $split = new RequestOptions(headers: ['X-A' => "1\r\nB: 2"]);
        $calls = [
            [TypeError::class, fn () => new Money(25.1, 'USDC')],
            [TypeError::class, fn () => $client->sandbox->transfer('0x1', 25.1, 'USDC')],
            [ValueError::class, fn () => new Money('1e5', 'USDC')],
            [ValueError::class, fn () => $client->donations->get('..')],
            [ValueError::class, fn () => $client->donations->get('')],
            [ValueError::class, fn () => $client->auth->login("\xff", 'x')],
            [ValueError::class, fn () => $client->keys->list(options: $split)],
        ];
        foreach ($calls as $at => [$class, $call]) {
            self::assertInstanceOf($class, self::errorOf($call), "call $at");
        }
        self::assertSame([], $fake->requests);
    }

    public function testRefusesFloatsAlsoFromFilesWithoutStrictTypes(): void
    {
        $weak = require __DIR__ . '/weak.php';
        foreach ([25.1, 25.0, true] as $amount) {
            self::assertInstanceOf(TypeError::class, self::errorOf(fn () => $weak($amount)));
        }
        self::assertSame('7', $weak(7)->value);
    }

    public function testReadsAnswersWithWhatStandsBesideThem(): void
    {
        $fake = new FakeTransport([FakeTransport::json(200, self::donation() + ['newField' => [1]], [
            'X-Request-Id' => 'req-1',
            'Idempotent-Replayed' => 'true',
            'RateLimit-Policy' => '"default";q=100;w=60',
            'RateLimit' => '"default";r=50;t=30',
        ])]);
        $donation = self::client($fake)->donations->get(self::ID);
        self::assertSame('25.1', $donation->amount->value);
        self::assertSame('a_status_of_tomorrow', $donation->status);
        self::assertSame('2026-01-31 12:00:00.123', $donation->createdAt->format('Y-m-d H:i:s.v'));
        self::assertNull($donation->transaction);
        self::assertSame([1], $donation->jsonSerialize()->newField);
        $response = $donation->response();
        self::assertSame(['req-1', 200, true, 1], [
            $response->requestId,
            $response->status,
            $response->replayed,
            $response->attempts,
        ]);
        self::assertEquals([50, 30, 100, 60], array_values(get_object_vars($response->rateLimit)));
    }

    public function testAnAnswerOfAnotherFormIsAnErrorThatNamesTheField(): void
    {
        $fake = new FakeTransport([
            FakeTransport::json(200, ['id' => 7] + self::donation()),
            FakeTransport::json(200, ['success' => true]),
        ]);
        $client = self::client($fake);
        $error = self::errorOf(fn () => $client->donations->get(self::ID));
        self::assertInstanceOf(FundproofError::class, $error);
        self::assertStringContainsString('$id', $error->getMessage());
        $error = self::errorOf(fn () => $client->sandbox->createWallet());
        self::assertInstanceOf(FundproofError::class, $error);
        self::assertStringContainsString("'wallet'", $error->getMessage());
    }

    public function testReadsMapsAndLists(): void
    {
        $check = ['ok' => true, 'ms' => 3];
        $ready = json_decode(json_encode(['status' => 'ok', 'checks' => ['database' => $check]]));
        $keys = json_decode('{"keys": [{"kty": "OKP"}]}');
        self::assertTrue(Readiness::fromWire($ready)->checks['database']->ok);
        self::assertSame([['kty' => 'OKP']], SigningKeys::fromWire($keys)->keys);
        foreach (['{"status": "ok", "checks": []}', '{"status": "ok"}'] as $json) {
            self::assertNotNull(self::errorOf(fn () => Readiness::fromWire(json_decode($json))), $json);
        }
        self::assertNotNull(self::errorOf(fn () => SigningKeys::fromWire(json_decode('{"keys": {}}'))));
    }

    public function testAMemberOfAUnionThatIsNewStaysAsItIs(): void
    {
        $known = (object) ['method' => 'transfer', 'refund' => 'on_chain', 'note' => '', 'uri' => 'x'];
        self::assertInstanceOf(PaymentByTransfer::class, PaymentMethod::read($known));
        self::assertInstanceOf(stdClass::class, PaymentMethod::read((object) ['method' => 'cash']));
    }

    public function testSendsAndReceivesFiles(): void
    {
        $fake = new FakeTransport([
            new Response(200, ['Content-Type' => 'image/png'], "\x89PNG"),
            new Response(200, ['Content-Type' => 'text/csv'], "id\n1\n"),
            self::refused(),
        ]);
        $client = self::client($fake);
        $file = $client->campaigns->getCover(self::ID);
        self::assertSame(["\x89PNG", 'image/png'], [$file->bytes, $file->type]);
        self::assertSame("id\n1\n", $client->reconciliation->csv());
        self::assertStringEndsWith('?format=csv', $fake->requests[1]->url);
        self::ignoreErrors(fn () => $client->campaigns->setCover(self::ID, "\xff\xd8", 'image/jpeg'));
        self::assertSame("\xff\xd8", $fake->requests[2]->body);
        self::assertSame('image/jpeg', $fake->requests[2]->headers['content-type']);
    }

    public function testARepeatedDeleteThatFindsNothingHasSucceeded(): void
    {
        $gone = FakeTransport::json(404, ['error' => 'Gone.', 'code' => 'not_found']);
        $fake = new FakeTransport([new ConnectionError('lost'), $gone, $gone]);
        $keys = new \Fundproof\Resource\Keys(sender($fake));
        $keys->revoke(self::ID);
        self::assertInstanceOf(NotFoundError::class, self::errorOf(fn () => $keys->revoke(self::ID)));
        self::assertCount(3, $fake->requests);
    }

    public function testADeleteAfterARefreshIsNoRepeatedDelete(): void
    {
        $fake = new FakeTransport([
            TokensTest::ended(),
            TokensTest::tokens('new', 'r2'),
            FakeTransport::json(404, ['error' => 'Gone.', 'code' => 'not_found']),
        ]);
        $session = new TokenSession(new TokenPair('old', 'r1'));
        $keys = new \Fundproof\Resource\Keys(sender($fake, session: $session));
        self::assertInstanceOf(NotFoundError::class, self::errorOf(fn () => $keys->revoke(self::ID)));
    }

    public function testErrorsKeepAllInARethrowAndInAStore(): void
    {
        $before = ini_set('zend.exception_ignore_args', '0');
        $fake = new FakeTransport([FakeTransport::json(409, [
            'error' => 'Claimed.',
            'code' => 'transfer_already_claimed',
            'requestId' => 'req-9',
            'details' => [['path' => 'txHash', 'message' => 'It is taken.']],
        ], ['Retry-After' => '5', 'RateLimit' => '"default";r=50;t=30'])]);
        $error = self::errorOf(fn () => self::client($fake)->donations->get(self::ID));
        ini_set('zend.exception_ignore_args', (string) $before);
        self::assertInstanceOf(ConflictError::class, $error);
        self::assertSame(['transfer_already_claimed', 409], [$error->errorCode, $error->getCode()]);
        $stored = unserialize(serialize($error));
        self::assertEquals($error->getMessage(), $stored->getMessage());
        self::assertSame(409, $stored->getCode());
        self::assertEquals(get_object_vars($error), get_object_vars($stored));
        self::assertSame(409, (new \RuntimeException('', $error->getCode(), $error))->getCode());
    }

    public function testDetailsNameFieldsAsTheyWereWritten(): void
    {
        $paths = ['target_amount', 'milestones.0.verification_docs', 'amount.value', '', 'profile.my_job'];
        $details = array_map(static fn (string $path): array => ['path' => $path, 'message' => 'No.'], $paths);
        $body = ['error' => 'No.', 'code' => 'invalid_input', 'details' => $details];
        $fake = new FakeTransport([FakeTransport::json(400, $body)]);
        $error = self::errorOf(fn () => self::client($fake)->donations->get(self::ID));
        self::assertSame(
            ['targetAmount', 'milestones.0.verificationDocs', 'amount.value', '', 'profile.my_job'],
            array_column($error->details, 'path'),
        );
    }

    public function testAnAnswerThatIsNotOfTheServiceSaysWhatCame(): void
    {
        $html = ['Content-Type' => 'text/html'];
        $answers = [
            [new Response(302, ['Location' => 'https://www.fake.test/']), 'a redirect to https://www.fake.test/'],
            [new Response(200), 'status 200 is empty'],
            [new Response(404, $html, '<h1>No</h1>'), 'status 404 is no answer of the service'],
            [new Response(200, [], '{"id": "a'), 'or only a part of one. It begins: {"id": "a'],
        ];
        foreach ($answers as [$response, $words]) {
            $client = self::client(new FakeTransport([$response]), maxRetries: 0);
            $error = self::errorOf(fn () => $client->donations->get(self::ID));
            self::assertInstanceOf(ApiError::class, $error);
            self::assertNull($error->errorCode);
            self::assertStringContainsString($words, $error->getMessage());
        }
        $client = self::client(new FakeTransport([new Response(200, $html, '<h1>Sign in</h1>')]));
        $error = self::errorOf(fn () => $client->reconciliation->csv());
        self::assertInstanceOf(ApiError::class, $error, 'a page instead of a file');
    }

    public function testANumberWhereAnAmountBelongsIsAnError(): void
    {
        foreach ([25.1, 25] as $value) {
            $money = ['amount' => ['value' => $value, 'currency' => 'USDC']];
            $fake = new FakeTransport([FakeTransport::json(200, $money + self::donation())]);
            $error = self::errorOf(fn () => self::client($fake)->donations->get(self::ID));
            self::assertInstanceOf(FundproofError::class, $error, "$value");
        }
    }

    public function testAWaitOutlastsFailuresThatMayEnd(): void
    {
        $pending = ['status' => 'pending'] + self::donation();
        $busy = FakeTransport::json(503, ['error' => 'x', 'code' => 'unavailable'], ['Retry-After' => '90']);
        $fake = new FakeTransport([
            FakeTransport::json(200, $pending),
            ...array_fill(0, 9, new ConnectionError('lost')),
            $busy,
            FakeTransport::json(200, ['status' => 'completed'] + $pending),
        ]);
        $clock = new FakeClock();
        self::assertSame('completed', (new Donations(sender($fake, $clock)))->waitFor(self::ID)->status);
        self::assertSame(90.0, end($clock->sleeps));
    }

    public function testAWaitEndsAtItsDeadlineAndKeepsWhatItSaw(): void
    {
        $lost = new ConnectionError('lost');
        $pending = FakeTransport::json(200, ['status' => 'pending'] + self::donation());
        $fake = new FakeTransport([$pending, ...array_fill(0, 99, $lost)]);
        $error = self::errorOf(fn () => (new Donations(sender($fake)))->waitFor(self::ID, timeout: 20));
        self::assertInstanceOf(TimeoutError::class, $error);
        self::assertSame(['pending', $lost], [$error->last->status, $error->getPrevious()]);
        self::assertLessThanOrEqual(20.0, max(array_column($fake->requests, 'timeout')));
        self::assertSame(1.0, end($fake->requests)->timeout);
    }

    public function testAWaitEndsAtOnceWithOtherErrors(): void
    {
        foreach ([self::refused(), new AbortError('The signal ended the call.')] as $last) {
            $fake = new FakeTransport([$last]);
            $error = self::errorOf(fn () => (new Donations(sender($fake)))->waitFor(self::ID));
            self::assertNotInstanceOf(TimeoutError::class, $error);
            self::assertCount(1, $fake->requests);
        }
    }

    public function testRefusesOptionsThatItDoesNotKnowOrCannotUse(): void
    {
        $start = static fn (mixed ...$options) => new Client(...$options + [
            'environment' => 'sandbox',
            'baseUrl' => 'https://fake.test',
            'transport' => new FakeTransport(),
        ]);
        $plain = 'http://api:3000';
        self::assertSame($plain, $start(baseUrl: $plain, allowHttp: true)->__debugInfo()['baseUrl']);
        $error = self::errorOf(fn () => $start(baseUrl: $plain));
        self::assertStringContainsString('allowHttp', $error->getMessage());
        $wrong = [
            fn () => $start(baseUrl: 'ftp://api', allowHttp: true),
            fn () => $start(maxRetryAfter: NAN),
            fn () => new RequestOptions(timeout: NAN),
            fn () => new RequestOptions(maxRetries: -1),
            fn () => $start()->donations->waitFor(self::ID, timeout: NAN),
        ];
        foreach ($wrong as $at => $call) {
            self::assertInstanceOf(ConfigurationError::class, self::errorOf($call), "call $at");
        }
        $this->expectExceptionMessage('Unknown named parameter $apikey');
        $start(apikey: self::KEY);
    }

    public function testHooksAndLoggerGetNoBodiesKeysOrQueries(): void
    {
        $seen = new \ArrayObject();
        $hook = static fn (string $name) => static function (array $facts) use ($seen, $name): void {
            $seen[] = [$name, ...array_keys($facts)];
            self::assertStringNotContainsString('secret', json_encode($facts));
        };
        $logger = new class () {
            /** @var list<string> */
            public array $lines = [];

            public function debug(string $message, array $context): void
            {
                $this->lines[] = $message . json_encode($context);
            }

            public function warning(string $message, array $context): void
            {
                $this->lines[] = $message . json_encode($context);
            }
        };
        $fake = new FakeTransport([
            FakeTransport::json(503, ['error' => 'x', 'code' => 'unavailable'], ['Retry-After' => '0']),
            self::deleted(),
        ]);
        $client = self::client(
            $fake,
            onRequest: $hook('request'),
            onResponse: $hook('response'),
            onRetry: $hook('retry'),
            logger: $logger,
        );
        self::ignoreErrors(fn () => $client->campaigns->list(q: 'secret'));
        self::assertSame([
            ['request', 'method', 'path', 'attempt'],
            ['response', 'method', 'path', 'attempt', 'status', 'requestId', 'ms'],
            ['retry', 'method', 'path', 'attempt', 'wait', 'status', 'requestId'],
            ['request', 'method', 'path', 'attempt'],
            ['response', 'method', 'path', 'attempt', 'status', 'requestId', 'ms'],
        ], $seen->getArrayCopy());
        $log = implode("\n", $logger->lines);
        self::assertStringContainsString('retry of GET /api/campaigns', $log);
        self::assertStringNotContainsString('secret', $log);
        self::assertStringNotContainsString(self::KEY, $log);
    }

    public function testACopyHasOtherOptionsAndTheRestStays(): void
    {
        $fake = new FakeTransport([self::wallet(), self::wallet()]);
        $client = self::client($fake);
        $client->withOptions(timeout: 5)->sandbox->createWallet();
        $client->sandbox->createWallet();
        self::assertSame(5.0, $fake->requests[0]->timeout);
        self::assertSame(30.0, $fake->requests[1]->timeout);
        self::assertSame(self::KEY, $fake->requests[0]->headers['x-api-key']);
        $this->expectException(ConfigurationError::class);
        $client->withOptions(timeout: 0);
    }

    public function testTheSignalEndsACallAndItsWaits(): void
    {
        $fake = new FakeTransport([new ConnectionError('lost'), self::wallet()]);
        $asked = 0;
        $options = new RequestOptions(signal: static function () use (&$asked): bool {
            return ++$asked > 2;
        });
        $start = microtime(true);
        $error = self::errorOf(fn () => self::client($fake)->sandbox->createWallet($options));
        self::assertInstanceOf(AbortError::class, $error);
        self::assertLessThan(0.4, microtime(true) - $start);
        self::assertCount(1, $fake->requests);
    }

    public function testAGeneratorOfAPageHasKeysWithoutGapsOrDoubles(): void
    {
        $key = ['name' => 'k', 'lastFour' => 'abcd', 'scopes' => [], 'createdAt' => '2026-01-31T12:00:00Z'];
        $page = static fn (array $ids, ?string $next): Response => FakeTransport::json(200, [
            'success' => true,
            'keys' => array_map(static fn (string $id): array => ['id' => $id] + $key, $ids),
            'pagination' => ['page' => 1, 'limit' => 2, 'total' => 3, 'pages' => 2, 'nextCursor' => $next],
        ]);
        $fake = new FakeTransport([$page(['a', 'b'], 'c1'), $page(['c'], null)]);
        $list = self::client($fake)->keys->list();
        self::assertSame([2, 3, 'c1', true], [count($list->items), $list->total, $list->nextCursor, $list->hasMore]);
        self::assertCount(1, $fake->requests);
        self::assertSame(['a', 'b', 'c'], array_column(iterator_to_array($list), 'id'));
        self::assertCount(2, $fake->requests);
    }

    public function testAFakeWithoutAnAnswerSaysSo(): void
    {
        $this->expectExceptionMessage('No answer is left for GET https://fake.test/healthz.');
        self::client(new FakeTransport())->system->health();
    }

    private static function client(FakeTransport $fake, mixed ...$options): Client
    {
        return new Client(
            ...$options,
            apiKey: self::KEY,
            environment: 'sandbox',
            baseUrl: 'https://fake.test',
            transport: $fake,
        );
    }

    private static function wallet(): Response
    {
        $wallet = ['address' => '0xabc', 'privateKey' => '0xdef'];
        return FakeTransport::json(201, ['success' => true, 'wallet' => $wallet]);
    }

    private static function login(): Response
    {
        $user = ['id' => self::ID, 'email' => null, 'username' => 'ada', 'profile' => new stdClass()];
        $tokens = ['accessToken' => 'a', 'refreshToken' => 'r', 'expires' => 900];
        return FakeTransport::json(200, ['success' => true, 'user' => $user, 'tokens' => $tokens]);
    }

    private static function deleted(): Response
    {
        return new Response(204);
    }

    private static function refused(): Response
    {
        return FakeTransport::json(403, ['error' => 'No.', 'code' => 'forbidden', 'requestId' => 'r']);
    }

    /** @return array<string, mixed> */
    private static function donation(): array
    {
        $file = file_get_contents(__DIR__ . '/../../vectors/wait.json');
        return [
            'status' => 'a_status_of_tomorrow',
            'amount' => ['value' => '25.1', 'currency' => 'USDC'],
            'createdAt' => '2026-01-31T12:00:00.123Z',
            'transaction' => null,
        ] + json_decode($file, true)['donation'];
    }

    private static function ignoreErrors(callable $act): void
    {
        self::assertInstanceOf(FundproofError::class, self::errorOf($act) ?? new FundproofError());
    }

    private static function errorOf(callable $act): ?\Throwable
    {
        try {
            $act();
            return null;
        } catch (FundproofError | TypeError | ValueError $error) {
            return $error;
        }
    }
}
