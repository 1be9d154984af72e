<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Error\AbortError;
use Fundproof\Error\ConnectionError;
use Fundproof\Error\TimeoutError;
use Fundproof\Transport\Request;

/**
 * Collects one answer from the callbacks of curl. It does not know the handle, because a cycle
 * would keep a connection open after its last user has gone.
 *
 * @internal
 */
final class CurlReceiver
{
    private const MAX_BODY_BYTES = 64 * 1024 * 1024;

    public int $status = 0;
    public bool $hasHead = false;
    /** @var array<string, string> */
    public array $headers = [];
    private string $body = '';

    public function __construct(private readonly Request $request)
    {
    }

    /** @return array<int, mixed> The callbacks, as options of curl. */
    public function options(): array
    {
        $signal = $this->request->signal;
        $options = [
            CURLOPT_HEADERFUNCTION => fn (mixed $handle, string $line): int => $this->head($line),
            CURLOPT_WRITEFUNCTION => fn (mixed $handle, string $bytes): int => $this->write($bytes),
        ];
        if ($signal !== null) {
            $options[CURLOPT_NOPROGRESS] = false;
            $options[CURLOPT_XFERINFOFUNCTION] = static fn (): int => $signal() ? 1 : 0;
        }
        return $options;
    }

    /** Throws the error that belongs to curl's result code. */
    public function check(int $result, string $message): void
    {
        if ($result === CURLE_OK && $this->hasHead) {
            return;
        }
        $target = "{$this->request->method} " . parse_url($this->request->url, PHP_URL_PATH);
        throw match ($result) {
            CURLE_OPERATION_TIMEDOUT => new TimeoutError("$target: $message."),
            CURLE_ABORTED_BY_CALLBACK => new AbortError("$target: the signal ended the call."),
            CURLE_OK => new ConnectionError("$target: the answer ended within its head."),
            default => new ConnectionError("$target: $message (curl error $result)."),
        };
    }

    /** Returns the bytes that have arrived since the last call. */
    public function take(): string
    {
        $bytes = $this->body;
        $this->body = '';
        return $bytes;
    }

    /** Whether `take` would return bytes. */
    public function hasBytes(): bool
    {
        return $this->body !== '';
    }

    private function head(string $line): int
    {
        if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found) === 1) {
            $this->status = (int) $found[1];
            $this->headers = [];
        } elseif (rtrim($line) === '') {
            $this->hasHead = $this->status >= 200;
        } elseif (!$this->hasHead && str_contains($line, ':')) {
            [$name, $value] = explode(':', $line, 2);
            $name = strtolower(trim($name));
            $before = isset($this->headers[$name]) ? $this->headers[$name] . ', ' : '';
            $this->headers[$name] = $before . trim($value);
        }
        return strlen($line);
    }

    private function write(string $bytes): int
    {
        if (strlen($this->body) + strlen($bytes) > self::MAX_BODY_BYTES) {
            return 0;
        }
        $this->body .= $bytes;
        return strlen($bytes);
    }
}
