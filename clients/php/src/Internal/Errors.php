<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Error\ApiError;
use Fundproof\Error\AuthenticationError;
use Fundproof\Error\ConflictError;
use Fundproof\Error\ErrorDetail;
use Fundproof\Error\InvalidRequestError;
use Fundproof\Error\LegalError;
use Fundproof\Error\NotFoundError;
use Fundproof\Error\PermissionError;
use Fundproof\Error\RateLimitError;
use Fundproof\Error\ServerError;
use Fundproof\RateLimit;

/**
 * Makes errors of answers.
 *
 * @internal
 */
final class Errors
{
    private const EXCERPT_CHARACTERS = 200;

    /**
     * @param array<string, string> $headers Names in lower case.
     * @param float $now Seconds since 1970.
     */
    public static function of(
        int $status,
        array $headers,
        string $body,
        float $now,
        int $attempts = 1,
    ): ApiError {
        $json = json_decode($body);
        $isOurs = is_string($json->error ?? null) && is_string($json->code ?? null);
        $requestId = $isOurs ? $json->requestId ?? null : null;
        $class = self::classOf($status);
        return new $class(
            message: $isOurs ? $json->error : self::unexpected($status, $headers, $body),
            errorCode: $isOurs ? $json->code : null,
            status: $status,
            requestId: is_string($requestId) ? $requestId : $headers['x-request-id'] ?? null,
            details: $isOurs ? self::details($json->details ?? null) : [],
            retryAfter: Retry::after($headers['retry-after'] ?? null, $now),
            headers: $headers,
            rateLimit: RateLimit::of($headers),
            attempts: $attempts,
            requires: $isOurs && is_string($json->requires ?? null) ? $json->requires : null,
        );
    }

    /** @return class-string<ApiError> */
    private static function classOf(int $status): string
    {
        return match (true) {
            in_array($status, [400, 413, 415, 422], true) => InvalidRequestError::class,
            $status === 401 => AuthenticationError::class,
            $status === 403 => PermissionError::class,
            $status === 404, $status === 405 => NotFoundError::class,
            $status === 409 => ConflictError::class,
            $status === 429 => RateLimitError::class,
            $status === 451 => LegalError::class,
            $status >= 500 => ServerError::class,
            default => ApiError::class,
        };
    }

    /**
     * Says what came instead of an answer of the service.
     *
     * @param array<string, string> $headers
     */
    private static function unexpected(int $status, array $headers, string $body): string
    {
        $answer = "The answer with status $status";
        if ($status >= 300 && $status < 400 && isset($headers['location'])) {
            $to = self::excerpt($headers['location']);
            return "$answer is a redirect to $to, which the client does not follow. Check baseUrl.";
        }
        $start = self::excerpt($body);
        return trim($start) === ''
            ? "$answer is empty."
            : "$answer is no answer of the service, or only a part of one. It begins: $start";
    }

    private static function excerpt(string $text): string
    {
        $utf8 = json_decode(json_encode($text, JSON_INVALID_UTF8_SUBSTITUTE) ?: '""') ?? '';
        preg_match('/^.{0,' . self::EXCERPT_CHARACTERS . '}/us', $utf8, $found);
        return $found[0] ?? '';
    }

    /** @return list<ErrorDetail> */
    private static function details(mixed $details): array
    {
        $list = [];
        foreach (is_array($details) ? $details : [] as $one) {
            if (is_string($one->path ?? null) && is_string($one->message ?? null)) {
                $list[] = new ErrorDetail(self::named($one->path), $one->message);
            }
        }
        return $list;
    }

    /** Writes a field path in camelCase, except inside maps, whose keys belong to the caller. */
    private static function named(string $path): string
    {
        return preg_match('/^(profile|headers)\./', $path) === 1
            ? $path
            : preg_replace_callback('/_([a-z])/', static fn ($found) => strtoupper($found[1]), $path);
    }
}
