<?php

declare(strict_types=1);

namespace Fundproof\Test;

use Fundproof\Client;
use Fundproof\Error\ConnectionError;
use Fundproof\Error\FundproofError;
use Fundproof\Model\ChainAsset;
use Fundproof\RequestOptions;
use Fundproof\TokenPair;
use Fundproof\Transport\CurlTransport;
use Fundproof\Transport\FakeTransport;
use Fundproof\Webhooks;
use PHPUnit\Framework\TestCase;

/** Keys, tokens and passwords do not appear in dumps and traces. */
final class SecretsTest extends TestCase
{
    private const KEY = 'fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi';

    public function testDumpsOfAClientHideItsKeyAndTokens(): void
    {
        $options = ['environment' => 'sandbox', 'baseUrl' => 'https://fake.test'];
        $clients = [
            new Client(...$options, apiKey: self::KEY),
            new Client(...$options, tokens: new TokenPair('hidden-access', 'hidden-refresh')),
        ];
        foreach ($clients as $client) {
            $this->assertHidden($client);
            $this->assertHidden($client->donations);
        }
        $this->assertHidden(new TokenPair('hidden-access', 'hidden-refresh'), 'shown to its owner');
        $this->assertHidden(new RequestOptions(headers: ['X-Proxy' => 'hidden-header']), 'shown to its owner');
        $this->assertHidden(new CurlTransport([CURLOPT_PROXYUSERPWD => 'hidden-proxy']), 'shown to its owner');
    }

    public function testDumpsOfAnswersHideSecrets(): void
    {
        $wallet = ['address' => '0xabc', 'privateKey' => 'hidden-key'];
        $fake = new FakeTransport([FakeTransport::json(201, ['success' => true, 'wallet' => $wallet])]);
        $answer = self::client($fake)->sandbox->createWallet();
        self::assertSame('hidden-key', $answer->privateKey);
        $this->assertHidden($answer, 'shown to its owner');
        $this->assertHidden($fake->requests[0], 'shown to its owner');
        self::assertStringContainsString('0xabc', print_r($answer, true));
    }

    public function testDumpsShowTheAddressOfACurrency(): void
    {
        $asset = new ChainAsset('eip155:1/erc20:0xabc', 'USDC', 6, '0xabc');
        self::assertSame('0xabc', $asset->__debugInfo()['token']);
    }

    public function testTracesOfErrorsHideSecrets(): void
    {
        $before = ini_set('zend.exception_ignore_args', '0');
        try {
            $refused = FakeTransport::json(403, ['error' => 'No.', 'code' => 'forbidden']);
            $client = self::client(new FakeTransport([$refused, $refused, $refused]));
            $broken = self::client(new FakeTransport([static fn () => FakeTransport::json(200, [
                'tokens' => ['accessToken' => 'hidden-access'],
                'user' => [],
            ])]));
            $unreachable = static fn (mixed ...$options) => new Client(
                ...$options,
                environment: 'sandbox',
                baseUrl: 'http://127.0.0.1:1',
                maxRetries: 0,
            );
            $calls = [
                fn () => $client->auth->login(username: 'ada', password: 'hidden-password'),
                fn () => $client->auth->changePassword(newPassword: 'hidden-password'),
                fn () => $client->keys->list(),
                fn () => $unreachable(tokens: new TokenPair('hidden-access', 'hidden-refresh'))->keys->list(),
                fn () => $broken->auth->login(username: 'ada', password: 'hidden-password'),
                fn () => $client->auth->login(username: "\xff", password: 'hidden-password'),
                fn () => $unreachable(apiKey: self::KEY)->keys->list(),
                fn () => new Client(apiKey: self::KEY, environment: 'production', baseUrl: 'https://fake.test'),
                fn () => new Client(apiKey: self::KEY . "\n", baseUrl: 'https://fake.test'),
                fn () => new TokenPair("hidden-access\n", 'hidden-refresh'),
                fn () => Webhooks::verify('{}', [], 'whsec_hidden-secret'),
                fn () => Webhooks::verify('{}', [], ['whsec_aGlkZGVu', 'whsec_hidden-secret!']),
            ];
            foreach ($calls as $at => $call) {
                try {
                    $call();
                    self::fail("Call $at has no error.");
                } catch (FundproofError | \ValueError $error) {
                    $ours = array_filter(
                        $error->getTrace(),
                        static fn (array $frame): bool => !str_starts_with($frame['class'] ?? '', 'PHPUnit'),
                    );
                    self::assertHasNoSecret("$error" . print_r($ours, true), "call $at");
                    self::assertHasNoSecret(self::allOf($ours), "call $at, by a tool that reads properties");
                }
            }
        } finally {
            ini_set('zend.exception_ignore_args', (string) $before);
        }
    }

    private function assertHidden(object $object, string $why = ''): void
    {
        ob_start();
        var_dump($object);
        $dump = ob_get_clean();
        self::assertHasNoSecret($dump . print_r($object, true), $object::class);
        if ($why === '') {
            self::assertHasNoSecret(self::allOf($object), $object::class);
        }
    }

    /**
     * All texts in a value, also in private properties, which tools can read by casting an object.
     */
    private static function allOf(mixed $value, int $depth = 9): string
    {
        $isOpen = !$value instanceof \Closure && !$value instanceof \SensitiveParameterValue;
        $inner = $isOpen && $depth > 0 && !is_scalar($value) ? (array) $value : [];
        $texts = array_map(static fn (mixed $one): string => self::allOf($one, $depth - 1), $inner);
        return implode("\n", is_string($value) ? [$value] : $texts);
    }

    private static function assertHasNoSecret(string $text, string $where): void
    {
        self::assertFalse(str_contains($text, 'hidden'), $where);
        self::assertFalse(str_contains($text, self::KEY), $where);
    }

    private static function client(FakeTransport $fake): Client
    {
        return new Client(apiKey: self::KEY, baseUrl: 'https://fake.test', transport: $fake);
    }
}
