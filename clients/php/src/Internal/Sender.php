<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Error\ApiError;
use Fundproof\Error\ConnectionError;
use Fundproof\Error\TimeoutError;
use Fundproof\RateLimit;
use Fundproof\ResponseInfo;
use Fundproof\Transport\Request;
use Fundproof\Transport\Response;
use ValueError;

/**
 * Sends calls. Adds the headers, retries, waits, makes errors, and gets a new token when the old
 * token has expired.
 *
 * @internal
 */
final class Sender
{
    private const SILENCE_S = 45.0;
    private const MAX_ERROR_BYTES = 65_536;

    public function __construct(
        public readonly Settings $settings,
        public readonly ?TokenSession $session = null,
    ) {
    }

    /**
     * Sends a call until it has an answer, within its retries.
     *
     * @throws ApiError if the service refuses it
     * @throws ConnectionError if no answer comes
     */
    public function send(#[\SensitiveParameter] Call $call): Answer
    {
        $clock = $this->settings->clock;
        $retries = $call->options->maxRetries ?? $this->settings->maxRetries;
        $headers = $this->headersOf($call);
        $isRefreshed = false;
        for ($attempt = 1, $retry = 0;; $attempt++) {
            $bearer = $call->signed ? $this->session?->bearer($this, $call->options) : null;
            $signed = $bearer === null ? $headers : ['authorization' => "Bearer $bearer"] + $headers;
            self::checkHeaders($signed);
            try {
                $response = $this->exchange($call, $signed, $attempt);
                $answer = $this->answerOf($call, $response, $attempt, $retry > 0);
                if ($answer !== null) {
                    return $answer;
                }
                $error = $this->errorOf($response, $attempt);
            } catch (ConnectionError $lost) {
                $error = $lost;
            }
            if ($bearer !== null && !$isRefreshed && self::isEnded($error)) {
                $isRefreshed = true;
                $this->session?->renew($bearer, $this, $call->options);
                continue;
            }
            $after = $error instanceof ApiError ? $error->retryAfter : null;
            $isTooLong = ($after ?? 0) > $this->settings->maxRetryAfter;
            if (!Retry::mayHelp($error) || $isTooLong || $retry >= $retries) {
                throw $error;
            }
            $wait = $after > 0 ? $after : Retry::wait($retry, $clock->random());
            $this->report('onRetry', $call, $attempt, $error, ['wait' => $wait]);
            $clock->sleep($wait, $call->options->signal);
            $retry++;
        }
    }

    /** @param array<string, string> $headers */
    private function exchange(
        #[\SensitiveParameter] Call $call,
        #[\SensitiveParameter] array $headers,
        int $attempt,
    ): Response {
        $call->options->check("$call->method $call->path: the signal ended the call.");
        $request = new Request(
            $call->method,
            $this->settings->baseUrl . $call->path . Query::of($call->query),
            $headers,
            $call->body === null ? $call->bytes : Wire::write($call->body),
            $call->options->timeout ?? $this->settings->timeout,
            $call->stream,
            self::SILENCE_S,
            $call->options->signal,
        );
        $this->report('onRequest', $call, $attempt);
        $start = hrtime(true);
        $response = $this->settings->transport->send($request);
        if ($call->stream && !EventParser::reads($response->status, $response->headers)) {
            $response = self::whole($response, $start / 1e9 + $request->timeout);
        }
        $this->report('onResponse', $call, $attempt, null, [
            'status' => $response->status,
            'requestId' => $response->headers['x-request-id'] ?? null,
            'ms' => intdiv(hrtime(true) - $start, 1_000_000),
        ]);
        return $response;
    }

    /** Reads a body that is no stream, up to MAX_ERROR_BYTES. */
    private static function whole(Response $response, float $until): Response
    {
        $body = $response->body;
        foreach ($response->chunks ?? [] as $chunk) {
            $body .= $chunk;
            if (strlen($body) > self::MAX_ERROR_BYTES) {
                break;
            }
            if (hrtime(true) / 1e9 > $until) {
                throw new TimeoutError('The answer took longer than the timeout.');
            }
        }
        return new Response($response->status, $response->headers, $body);
    }

    private function errorOf(Response $response, int $attempts): ApiError
    {
        $now = $this->settings->clock->now();
        return Errors::of($response->status, $response->headers, $response->body, $now, $attempts);
    }

    private static function isEnded(ApiError|ConnectionError $error): bool
    {
        return $error instanceof ApiError
            && $error->status === 401
            && $error->errorCode === 'invalid_token';
    }

    /** Returns the answer, or null if it is an error or cannot be read. */
    private function answerOf(
        Call $call,
        Response $response,
        int $attempts,
        bool $isRepeated,
    ): ?Answer {
        $isGone = $call->method === 'DELETE' && $response->status === 404 && $isRepeated;
        $isPage = stripos($response->headers['content-type'] ?? '', 'text/html') === 0;
        $isGood = $response->status >= 200 && $response->status < 300;
        if (!$isGone && (!$isGood || ($isPage && $response->body !== ''))) {
            return null;
        }
        $info = new ResponseInfo(
            $response->status,
            $response->headers['x-request-id'] ?? null,
            ($response->headers['idempotent-replayed'] ?? '') === 'true',
            RateLimit::of($response->headers),
            $response->headers,
            $attempts,
        );
        if ($call->stream) {
            return $response->chunks === null ? null : new Answer($info, '', null, $response->chunks);
        }
        $isEmpty = $response->status === 204 || $isGone;
        $json = $isEmpty ? null : Wire::read($response->body);
        $isRead = $call->accept === 'application/json' ? $json !== null : $response->body !== '';
        return $isEmpty || $isRead ? new Answer($info, $response->body, $json) : null;
    }

    /** @return array<string, string> */
    private function headersOf(Call $call): array
    {
        $key = $call->options->idempotencyKey === '' ? null : $call->options->idempotencyKey;
        if ($key === null && $call->method === 'POST') {
            $key = 'auto_' . self::uuid();
        }
        $apiKey = $call->signed && $this->session === null ? $this->settings->apiKey : null;
        $headers = array_filter([
            'accept' => $call->accept,
            'prefer' => 'amounts=text',
            'user-agent' => $this->settings->userAgent,
            'x-api-key' => $apiKey?->reveal(),
            'content-type' => $call->body === null ? $call->type : 'application/json',
            'idempotency-key' => $key,
            'last-event-id' => $call->lastEventId,
        ], static fn (?string $value): bool => $value !== null);
        foreach ($call->options->headers as $name => $value) {
            $headers[strtolower($name)] = $value;
        }
        return $headers;
    }

    /** @param array<string, string> $headers */
    private static function checkHeaders(#[\SensitiveParameter] array $headers): void
    {
        foreach ($headers as $name => $value) {
            if (preg_match('/[\r\n\0]/', "$name$value") === 1) {
                throw new ValueError("The header field $name may not contain a line break.");
            }
        }
    }

    /**
     * Calls a hook, and logs retries. Neither gets bodies, keys or queries.
     *
     * @param 'onRequest'|'onResponse'|'onRetry' $hook
     * @param array<string, mixed> $more
     */
    private function report(
        string $hook,
        Call $call,
        int $attempt,
        ?\Throwable $error = null,
        array $more = [],
    ): void {
        $facts = ['method' => $call->method, 'path' => $call->path, 'attempt' => $attempt] + $more;
        if ($error instanceof ApiError) {
            $facts += ['status' => $error->status, 'requestId' => $error->requestId];
        }
        if ($this->settings->{$hook} !== null) {
            ($this->settings->{$hook})($facts);
        }
        $logger = $this->settings->logger;
        if ($logger !== null) {
            $hook === 'onRetry'
                ? $logger->warning("Fundproof: retry of $call->method $call->path", $facts)
                : $logger->debug("Fundproof: $hook $call->method $call->path", $facts);
        }
    }

    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr((ord($bytes[6]) & 0x0f) | 0x40);
        $bytes[8] = chr((ord($bytes[8]) & 0x3f) | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
