<?php

declare(strict_types=1);

namespace Fundproof;

use DateTimeInterface;
use Fundproof\Error\ConfigurationError;
use Fundproof\Error\WebhookVerificationError as Refused;
use Fundproof\Internal\Configuration;
use Fundproof\Internal\Wire;

/** Checks and makes signatures of webhooks (Standard Webhooks 1.0.0). Needs no client. */
final class Webhooks
{
    private const PUBLIC_KEY_BYTES = 32;
    /** The number of signatures that are checked at most, because each check takes time. */
    private const MAX_SIGNATURES = 16;

    /**
     * Returns the event of a webhook, or throws if the service did not sign it just now.
     *
     *     $body = file_get_contents('php://input');
     *     $event = Webhooks::verify($body, getallheaders(), getenv('WEBHOOK_SECRET'));
     *
     * @param mixed $body The raw body as it came, a text. A parsed body is refused.
     * @param array<string, string|list<string>> $headers Names in any case; `$_SERVER` fits too.
     * @param string|list<string> $secrets A secret (`whsec_`), a public key (`whpk_`) or several.
     * @param int|float|null $tolerance Seconds by which the clocks may differ; null for any time.
     * @param DateTimeInterface|null $now Another time than now, for tests.
     * @throws Refused
     * @throws ConfigurationError for a tolerance that is negative, infinite or no number
     */
    public static function verify(
        mixed $body,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int|float|null $tolerance = 300,
        ?DateTimeInterface $now = null,
    ): Event {
        if (!is_string($body)) {
            $message = 'Pass the raw body, as text: a parsed body has no signature.';
            throw new Refused(Refused::NOT_RAW, $message);
        }
        Configuration::seconds($tolerance ?? 0, 'tolerance', true);
        // A loop is used, because the trace of array_map would show the secrets.
        $keys = [];
        foreach ((array) $secrets as $secret) {
            $keys[] = self::key($secret);
        }
        if ($keys === []) {
            throw new Refused(Refused::BAD_SECRET, 'Pass the secret of your webhook.');
        }
        $id = self::header($headers, 'webhook-id');
        $time = self::header($headers, 'webhook-timestamp');
        $signatures = self::header($headers, 'webhook-signature');
        if ($id === null || $time === null || $signatures === null) {
            throw new Refused(Refused::NO_SIGNATURE, 'There is no signature in the header fields.');
        }
        self::checkTime($time, $tolerance, (float) ($now?->format('U.u') ?? microtime(true)));
        $isSigned = false;
        foreach ($keys as [$version, $key]) {
            $isSigned = self::isSigned("$id.$time.$body", $signatures, $version, $key) || $isSigned;
        }
        if (!$isSigned) {
            throw new Refused(Refused::NO_MATCH, 'No signature fits the body and your secret.');
        }
        $wire = Wire::read($body)
            ?? throw new Refused(Refused::NOT_RAW, 'The body is signed, but it is no JSON object.');
        return Event::fromWire($wire);
    }

    /**
     * Makes the header fields of a webhook, for tests of your receiver.
     *
     * @return array<string, string>
     */
    public static function sign(
        string $body,
        #[\SensitiveParameter] string $secret,
        string $id = 'msg_test',
        ?DateTimeInterface $at = null,
    ): array {
        $time = (string) ($at?->getTimestamp() ?? time());
        [$version, $key] = self::key($secret);
        if ($version !== 'v1') {
            throw new Refused(Refused::BAD_SECRET, 'Only a secret (whsec_…) signs.');
        }
        $mac = hash_hmac('sha256', "$id.$time.$body", $key, true);
        return [
            'webhook-id' => $id,
            'webhook-timestamp' => $time,
            'webhook-signature' => 'v1,' . base64_encode($mac),
        ];
    }

    private static function checkTime(string $time, int|float|null $tolerance, float $now): void
    {
        if (preg_match('/^\d{1,12}$/D', $time) !== 1) {
            throw new Refused(Refused::BAD_TIMESTAMP, 'The time of the webhook is no number.');
        }
        if ($tolerance !== null && $now - (int) $time > $tolerance) {
            throw new Refused(Refused::TOO_OLD, 'The webhook is too old.');
        }
        if ($tolerance !== null && (int) $time - $now > $tolerance) {
            throw new Refused(Refused::TOO_NEW, 'The webhook is from the future; check your clock.');
        }
    }

    /** @param 'v1'|'v1a' $version */
    private static function isSigned(
        string $content,
        string $signatures,
        string $version,
        #[\SensitiveParameter] string $key,
    ): bool {
        $isSigned = false;
        foreach (array_slice(preg_split('/ +/', trim($signatures, ' ')), 0, self::MAX_SIGNATURES) as $one) {
            if (!str_starts_with($one, "$version,")) {
                continue;
            }
            $signature = base64_decode(substr($one, strlen($version) + 1), true);
            if ($signature !== false) {
                $isGood = $version === 'v1a'
                    ? self::isEd25519($signature, $content, $key)
                    : hash_equals(hash_hmac('sha256', $content, $key, true), $signature);
                $isSigned = $isGood || $isSigned;
            }
        }
        return $isSigned;
    }

    private static function isEd25519(string $signature, string $content, string $key): bool
    {
        if (!function_exists('sodium_crypto_sign_verify_detached')) {
            throw new Refused(Refused::BAD_SECRET, 'Public keys (whpk_) need the extension sodium.');
        }
        return strlen($signature) === SODIUM_CRYPTO_SIGN_BYTES
            && sodium_crypto_sign_verify_detached($signature, $content, $key);
    }

    /**
     * Reads a secret or public key.
     *
     * @return array{'v1'|'v1a', string} The version of the signatures that the key checks, and the
     *     bytes of the key.
     */
    private static function key(#[\SensitiveParameter] string $secret): array
    {
        [$prefix, $text] = explode('_', $secret, 2) + [1 => ''];
        $bytes = preg_match('/\s/', $text) === 1 ? false : base64_decode($text, true);
        $isRight = match ($prefix) {
            'whsec' => $bytes !== false && $bytes !== '',
            'whpk' => $bytes !== false && strlen($bytes) === self::PUBLIC_KEY_BYTES,
            default => false,
        };
        if (!$isRight) {
            $message = 'A secret is whsec_ and base64, and a public key is whpk_ and 32 bytes in base64.';
            throw new Refused(Refused::BAD_SECRET, $message);
        }
        return [$prefix === 'whpk' ? 'v1a' : 'v1', $bytes];
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $wanted): ?string
    {
        foreach ($headers as $name => $value) {
            $plain = strtolower(strtr((string) $name, '_', '-'));
            if ($plain === $wanted || $plain === "http-$wanted") {
                $text = is_array($value) ? implode(' ', $value) : (string) $value;
                return $text === '' ? null : $text;
            }
        }
        return null;
    }
}
