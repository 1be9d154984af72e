<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use CurlHandle;
use CurlMultiHandle;
use Fundproof\Error\AbortError;
use Fundproof\Error\TimeoutError;
use Fundproof\Transport\Request;
use Generator;

/**
 * An answer that is read while it comes. Its connection closes with the generator of `chunks`.
 *
 * @internal
 */
final class CurlStream
{
    private const LONGEST_WAIT_S = 0.25;
    private const SHORTEST_WAIT_US = 1000;

    private ?CurlMultiHandle $multi;
    private ?int $result = null;
    private readonly float $deadline;

    public function __construct(
        private readonly CurlHandle $handle,
        private readonly CurlReceiver $receiver,
        private readonly Request $request,
    ) {
        $this->deadline = self::now() + $request->timeout;
        $this->multi = curl_multi_init();
        curl_multi_add_handle($this->multi, $handle);
    }

    public function __destruct()
    {
        $this->close();
    }

    /** Waits for the status and the header fields. */
    public function awaitHead(): void
    {
        while (!$this->receiver->hasHead && $this->result === null) {
            $this->step($this->deadline);
        }
        // If the stream was cut at once, its header and events may still have arrived. They are
        // read first.
        if (!$this->receiver->hasHead) {
            $this->receiver->check($this->result ?? CURLE_OK, curl_error($this->handle));
        }
    }

    /** @return Generator<int, string> */
    public function chunks(): Generator
    {
        $isStream = EventParser::reads($this->receiver->status, $this->receiver->headers);
        try {
            while (true) {
                $until = $isStream ? self::now() + $this->request->silence : $this->deadline;
                while (!$this->receiver->hasBytes() && $this->result === null) {
                    $this->step($until);
                }
                if ($this->receiver->hasBytes()) {
                    yield $this->receiver->take();
                    continue;
                }
                $this->receiver->check($this->result ?? CURLE_OK, curl_error($this->handle));
                return;
            }
        } finally {
            $this->close();
        }
    }

    private function step(float $until): void
    {
        if ($this->request->signal !== null && ($this->request->signal)()) {
            throw new AbortError('The signal ended the stream.');
        }
        curl_multi_exec($this->multi, $running);
        $done = curl_multi_info_read($this->multi);
        if ($done !== false) {
            $this->result = $done['result'];
            return;
        }
        $left = $until - self::now();
        if ($left <= 0) {
            throw new TimeoutError('The stream was silent for too long.');
        }
        $isIdle = !$this->receiver->hasBytes();
        if ($isIdle && curl_multi_select($this->multi, min($left, self::LONGEST_WAIT_S)) < 1) {
            // Curl does not wait while it has no socket.
            usleep(self::SHORTEST_WAIT_US);
        }
    }

    private function close(): void
    {
        if ($this->multi !== null) {
            curl_multi_remove_handle($this->multi, $this->handle);
            curl_multi_close($this->multi);
            $this->multi = null;
        }
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }
}
