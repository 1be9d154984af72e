<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Error\ConfigurationError;

/**
 * Reads and checks the options of a client.
 *
 * @internal
 */
final class Configuration
{
    private const KEY = '/^fundproof_(sandbox|live)_[0-9A-Za-z]+$/D';

    /** Returns the option, or else the environment variable, or else null. */
    public static function option(#[\SensitiveParameter] ?string $option, string $variable): ?string
    {
        $value = $option ?? getenv($variable);
        return $value === false || ($option === null && $value === '') ? null : $value;
    }

    public static function apiKey(#[\SensitiveParameter] ?string $key): ?Secret
    {
        if ($key === null) {
            return null;
        }
        if (preg_match(self::KEY, $key) !== 1) {
            throw new ConfigurationError(
                'This is no API key of Fundproof, or it has a space or line break (apiKey, FUNDPROOF_API_KEY).',
            );
        }
        return new Secret($key);
    }

    public static function environment(?string $environment, ?Secret $key): string
    {
        $ofKey = $key === null ? null : self::environmentOf($key);
        $environment ??= $ofKey;
        if ($environment === null) {
            throw new ConfigurationError(
                "Name the environment, 'sandbox' or 'production' (environment, FUNDPROOF_ENVIRONMENT).",
            );
        }
        if ($environment !== 'sandbox' && $environment !== 'production') {
            throw new ConfigurationError("The environment is 'sandbox' or 'production', not '$environment'.");
        }
        if ($ofKey !== null && $ofKey !== $environment) {
            throw new ConfigurationError(
                "The API key belongs to the $ofKey environment, but the client is for $environment.",
            );
        }
        return $environment;
    }

    public static function baseUrl(?string $url, bool $allowHttp = false): string
    {
        if ($url === null) {
            throw new ConfigurationError(
                'Name the address of your Fundproof service (baseUrl, FUNDPROOF_BASE_URL).',
            );
        }
        $parts = parse_url($url);
        $scheme = strtolower($parts['scheme'] ?? '');
        $host = strtolower($parts['host'] ?? '');
        if ($host === '' || preg_match('/[\s\x00-\x1f]/', $url) === 1) {
            throw new ConfigurationError('The base address (baseUrl) is no address such as https://host.');
        }
        if ($scheme !== 'https' && !($scheme === 'http' && ($allowHttp || self::isLoopback($host)))) {
            throw new ConfigurationError(
                'The base address (baseUrl) must begin with https://. For http:// to another machine'
                . ' of a network of your own, give the option allowHttp.',
            );
        }
        if (array_intersect_key($parts, ['user' => 1, 'pass' => 1, 'query' => 1, 'fragment' => 1]) !== []) {
            throw new ConfigurationError('The base address (baseUrl) has a user, query or fragment.');
        }
        return rtrim($url, '/');
    }

    /** Returns an option in seconds. It must be above 0, or also 0 with `$orZero`. */
    public static function seconds(int|float $seconds, string $option, bool $orZero = false): float
    {
        if (!is_finite((float) $seconds) || $seconds < 0 || ($seconds == 0 && !$orZero)) {
            $least = $orZero ? 'of at least 0' : 'above 0';
            throw new ConfigurationError("$option is a finite number of seconds $least.");
        }
        return (float) $seconds;
    }

    /** Returns the number of retries, which must be at least 0. */
    public static function retries(int $retries): int
    {
        if ($retries < 0) {
            throw new ConfigurationError('maxRetries is 0 or more.');
        }
        return $retries;
    }

    private static function environmentOf(Secret $key): string
    {
        return str_starts_with($key->reveal(), 'fundproof_live_') ? 'production' : 'sandbox';
    }

    private static function isLoopback(string $host): bool
    {
        return $host === 'localhost'
            || $host === '[::1]'
            || (str_starts_with($host, '127.') && filter_var($host, FILTER_VALIDATE_IP) !== false);
    }
}
