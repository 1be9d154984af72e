<?php

declare(strict_types=1);

namespace Fundproof\Transport;

use Fundproof\Error\ConnectionError;
use Fundproof\Error\TimeoutError;
use Generator;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Message\StreamInterface;

/**
 * Sends through any PSR-18 client, for example Guzzle.
 *
 * PSR-18 knows no timeouts and no signals: set timeouts in your client, and switch its redirects
 * off. `events->stream()` needs a client that does not buffer answers.
 */
final class Psr18Transport implements Transport
{
    private const CHUNK_BYTES = 8192;

    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    /** @inheritDoc */
    public function send(#[\SensitiveParameter] Request $request): Response
    {
        $message = $this->requests->createRequest($request->method, $request->url);
        foreach ($request->headers as $name => $value) {
            $message = $message->withHeader($name, $value);
        }
        if ($request->body !== null) {
            $message = $message->withBody($this->streams->createStream($request->body));
        }
        try {
            $answer = $this->client->sendRequest($message);
            $headers = array_map(
                static fn (array $values): string => implode(', ', $values),
                $answer->getHeaders(),
            );
            $body = $answer->getBody();
            return $request->stream
                ? new Response($answer->getStatusCode(), $headers, chunks: self::chunks($body))
                : new Response($answer->getStatusCode(), $headers, (string) $body);
        } catch (ClientExceptionInterface | \RuntimeException $error) {
            throw self::failure($error);
        }
    }

    /** @return Generator<int, string> */
    private static function chunks(StreamInterface $body): Generator
    {
        try {
            while (!$body->eof()) {
                // A socket waits until it has all requested bytes, so this code requests only the
                // bytes that have arrived, or one byte to make the socket read.
                $unread = $body->getMetadata('unread_bytes');
                $bytes = $body->read(is_int($unread) ? max(1, $unread) : self::CHUNK_BYTES);
                if ($bytes !== '') {
                    yield $bytes;
                }
            }
        } catch (\RuntimeException $error) {
            throw self::failure($error);
        } finally {
            $body->close();
        }
    }

    /** Does not attach the previous error, because its request contains the key. */
    private static function failure(\Throwable $error): ConnectionError
    {
        $message = $error->getMessage();
        return str_contains($message, 'timed out')
            ? new TimeoutError($message)
            : new ConnectionError($message);
    }
}
