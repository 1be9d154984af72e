<?php

declare(strict_types=1);

namespace Fundproof\Test;

use Fundproof\Error\AbortError;
use Fundproof\Error\ConnectionError;
use Fundproof\Error\TimeoutError;
use Fundproof\Transport\CurlTransport;
use Fundproof\Transport\Psr18Transport;
use Fundproof\Transport\Request;
use Fundproof\Transport\Transport;
use PHPUnit\Framework\TestCase;
use stdClass;

/** Tests the transports with real sockets. */
final class TransportTest extends TestCase
{
    private const GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php';

    /** @var resource */
    private static $process;
    /** @var array<int, resource> */
    private static array $pipes = [];
    private static string $url;

    public static function setUpBeforeClass(): void
    {
        $command = [PHP_BINARY, __DIR__ . '/server.php'];
        self::$process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], self::$pipes);
        self::$url = 'http://' . trim(fgets(self::$pipes[1]));
    }

    public static function tearDownAfterClass(): void
    {
        array_map(fclose(...), self::$pipes);
        proc_close(self::$process);
    }

    public function testSendsRequestsOverOneConnection(): void
    {
        $transport = new CurlTransport();
        $headers = ['x-test' => 'a', 'content-type' => 'application/json'];
        $first = self::ask($transport, 'POST', '/one', $headers, '{"a":1}');
        $second = self::ask($transport, 'POST', '/two');
        $third = self::ask($transport, 'GET', '/three?a=b');
        $fourth = self::ask($transport, 'DELETE', '/four');
        self::assertStringStartsWith("POST /one HTTP/1.1\r\n", $first->head);
        self::assertStringContainsString("\r\nx-test: a\r\n", $first->head);
        self::assertSame('{"a":1}', $first->body);
        self::assertStringContainsString("\r\nContent-Length: 0", $second->head);
        self::assertStringNotContainsString('x-test', $second->head);
        self::assertStringNotContainsStringIgnoringCase('content-type', $second->head);
        self::assertStringStartsWith("GET /three?a=b HTTP/1.1\r\n", $third->head);
        self::assertStringStartsWith("DELETE /four HTTP/1.1\r\n", $fourth->head);
        self::assertSame(
            array_fill(0, 4, $first->connection),
            [$first->connection, $second->connection, $third->connection, $fourth->connection],
        );
    }

    public function testNeverWaitsForAContinue(): void
    {
        $start = microtime(true);
        $body = str_repeat('x', 500_000);
        $answer = self::ask(new CurlTransport(), 'PUT', '/long', [], $body);
        self::assertStringNotContainsStringIgnoringCase('expect', $answer->head);
        self::assertSame(strlen($body), strlen($answer->body));
        self::assertLessThan(0.9, microtime(true) - $start);
    }

    public function testFollowsNoRedirectAndJoinsHeaderFields(): void
    {
        $response = (new CurlTransport())->send(new Request('GET', self::$url . '/redirect'));
        self::assertSame(302, $response->status);
        self::assertSame('/elsewhere', $response->headers['location']);
        self::assertSame('a, b', $response->headers['x-two']);
    }

    public function testAHookMaySendARequestDuringARequest(): void
    {
        $transport = new CurlTransport();
        $inner = null;
        $signal = static function () use ($transport, &$inner): bool {
            $inner ??= self::ask($transport, 'GET', '/inner');
            return false;
        };
        $outer = $transport->send(new Request('GET', self::$url . '/outer', signal: $signal));
        self::assertStringStartsWith('GET /inner', $inner->head);
        self::assertStringStartsWith('GET /outer', json_decode($outer->body)->head);
    }

    public function testKeysForThisMachineGoThroughNoProxy(): void
    {
        putenv('http_proxy=http://127.0.0.1:1');
        try {
            $answer = self::ask(new CurlTransport(), 'GET', '/direct', ['x-api-key' => 'k']);
        } finally {
            putenv('http_proxy');
        }
        self::assertStringStartsWith('GET /direct ', $answer->head);
    }

    public function testErrorsOfConnections(): void
    {
        $transport = new CurlTransport();
        $calls = [
            [ConnectionError::class, new Request('GET', 'http://127.0.0.1:1/')],
            [ConnectionError::class, new Request('GET', 'file:///etc/hostname')],
            [ConnectionError::class, new Request('GET', self::$url . '/head')],
            [TimeoutError::class, new Request('GET', self::$url . '/stream', timeout: 0.2)],
            [AbortError::class, new Request('GET', self::$url . '/stream', signal: self::after(0.2))],
        ];
        foreach ($calls as [$class, $request]) {
            try {
                $transport->send($request);
                self::fail("No error for $request->url.");
            } catch (ConnectionError $error) {
                self::assertSame($class, $error::class, $request->url);
            }
        }
        self::assertStringStartsWith('GET /after', self::ask($transport, 'GET', '/after')->head);
    }

    public function testAStreamClosesItsConnectionWhenTheLoopEnds(): void
    {
        $transport = new CurlTransport();
        $before = self::ask($transport, 'GET', '/')->closed;
        $response = $transport->send(new Request('GET', self::$url . '/stream', stream: true));
        self::assertSame(200, $response->status);
        foreach ($response->chunks as $chunk) {
            self::assertSame("id: 1\ndata: {}\n\n", $chunk);
            break;
        }
        unset($response);
        self::assertClosed($transport, $before + 1);
        $transport->send(new Request('GET', self::$url . '/stream', stream: true));
        self::assertClosed($transport, $before + 2);
    }

    public function testASilentOrEndedStreamIsAnError(): void
    {
        $transport = new CurlTransport();
        $slowly = static function (): bool {
            usleep(50_000);
            return false;
        };
        $requests = [
            [ConnectionError::class, new Request('GET', self::$url . '/cut', stream: true, signal: $slowly)],
            [TimeoutError::class, new Request('GET', self::$url . '/stream', stream: true, silence: 0.3)],
            [AbortError::class, new Request('GET', self::$url . '/stream', stream: true, signal: self::after(0.3))],
        ];
        foreach ($requests as [$class, $request]) {
            $chunks = 0;
            try {
                foreach ($transport->send($request)->chunks as $chunk) {
                    $chunks++;
                }
                self::fail('The stream does not end.');
            } catch (ConnectionError $error) {
                self::assertSame($class, $error::class);
                self::assertSame(1, $chunks);
            }
        }
    }

    public function testARefusedStreamHasTheTimeoutInTotal(): void
    {
        $request = new Request('GET', self::$url . '/stuck', timeout: 0.3, stream: true, silence: 2);
        $chunks = (new CurlTransport())->send($request)->chunks;
        $start = microtime(true);
        try {
            iterator_to_array($chunks);
            self::fail('The refusal ends.');
        } catch (TimeoutError) {
            self::assertLessThan(1.5, microtime(true) - $start);
        }
    }

    public function testSendsThroughAPsr18Client(): void
    {
        if (!is_file(self::GUZZLE)) {
            self::markTestSkipped('No Guzzle: apt-get install php-guzzlehttp-guzzle');
        }
        require_once self::GUZZLE;
        $factory = new \GuzzleHttp\Psr7\HttpFactory();
        $transport = new Psr18Transport(new \GuzzleHttp\Client(), $factory, $factory);
        $answer = self::ask($transport, 'POST', '/one', ['x-test' => 'a'], '{"a":1}');
        self::assertStringStartsWith("POST /one HTTP/1.1\r\n", $answer->head);
        self::assertStringContainsStringIgnoringCase('x-test: a', $answer->head);
        self::assertSame('{"a":1}', $answer->body);
        $response = $transport->send(new Request('GET', self::$url . '/redirect'));
        self::assertSame([302, 'a, b'], [$response->status, $response->headers['x-two']]);

        $streaming = new \GuzzleHttp\Client(['stream' => true]);
        $transport = new Psr18Transport($streaming, $factory, $factory);
        $response = $transport->send(new Request('GET', self::$url . '/stream', stream: true));
        $start = microtime(true);
        $received = '';
        foreach ($response->chunks as $chunk) {
            $received .= $chunk;
            if ($received === "id: 1\ndata: {}\n\n") {
                break;
            }
        }
        self::assertLessThan(5, microtime(true) - $start);

        $slow = new \GuzzleHttp\Client(['timeout' => 0.2]);
        $calls = [
            [TimeoutError::class, new Psr18Transport($slow, $factory, $factory), self::$url . '/stream'],
            [ConnectionError::class, new Psr18Transport($slow, $factory, $factory), 'http://127.0.0.1:1/'],
        ];
        foreach ($calls as [$class, $failing, $url]) {
            try {
                $failing->send(new Request('GET', $url, ['x-api-key' => 'hidden']));
                self::fail("No error for $url.");
            } catch (ConnectionError $error) {
                self::assertSame($class, $error::class);
                self::assertFalse(str_contains("$error", 'hidden'));
            }
        }
    }

    /** @param array<string, string> $headers */
    private static function ask(
        Transport $transport,
        string $method,
        string $path,
        array $headers = [],
        ?string $body = null,
    ): stdClass {
        $response = $transport->send(new Request($method, self::$url . $path, $headers, $body));
        self::assertSame(200, $response->status);
        return json_decode($response->body);
    }

    private static function assertClosed(Transport $transport, int $streams): void
    {
        for ($try = 0; $try < 100; $try++) {
            if (self::ask($transport, 'GET', '/')->closed === $streams) {
                return;
            }
            usleep(20_000);
        }
        self::fail('The connection of the stream is still open.');
    }

    /** @return \Closure(): bool */
    private static function after(float $seconds): \Closure
    {
        $until = null;
        return static function () use (&$until, $seconds): bool {
            $until ??= microtime(true) + $seconds;
            return microtime(true) > $until;
        };
    }
}
