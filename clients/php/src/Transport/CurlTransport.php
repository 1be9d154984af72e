<?php

declare(strict_types=1);

namespace Fundproof\Transport;

use CurlHandle;
use CurlMultiHandle;
use Fundproof\Internal\CurlReceiver;
use Fundproof\Internal\CurlStream;

/**
 * The default transport, over ext-curl. It keeps one handle, so that requests share a connection.
 *
 *     new CurlTransport([CURLOPT_PROXY => 'http://proxy:3128', CURLOPT_CAINFO => '/etc/ca.pem']);
 */
final class CurlTransport implements Transport
{
    private const LONGEST_WAIT_S = 0.1;
    private const SHORTEST_WAIT_US = 1000;

    private ?CurlHandle $handle = null;
    private ?CurlMultiHandle $multi = null;
    private bool $busy = false;

    /** @param array<int, mixed> $options Further options of curl, such as a proxy. */
    public function __construct(#[\SensitiveParameter] private readonly array $options = [])
    {
    }

    /** @inheritDoc */
    public function send(#[\SensitiveParameter] Request $request): Response
    {
        if ($request->stream) {
            return $this->open($request);
        }
        if ($this->busy) {
            // A hook of a running request sends this request. The running handle cannot be used
            // twice, so this request gets another handle.
            return (new self($this->options))->send($request);
        }
        $this->handle ??= curl_init();
        $receiver = new CurlReceiver($request);
        $this->busy = true;
        try {
            curl_setopt_array($this->handle, $this->optionsOf($request, $receiver));
            $receiver->check($this->run($this->handle), curl_error($this->handle));
            return new Response($receiver->status, $receiver->headers, $receiver->take());
        } finally {
            // Keeps the connection, and removes the header fields and the body of the request.
            curl_reset($this->handle);
            $this->busy = false;
        }
    }

    /**
     * Returns curl's result. Checks for an abort more than once a second, which curl_exec does not.
     */
    private function run(CurlHandle $handle): int
    {
        $this->multi ??= curl_multi_init();
        curl_multi_add_handle($this->multi, $handle);
        try {
            while (curl_multi_exec($this->multi, $running) === CURLM_OK && $running > 0) {
                if (curl_multi_select($this->multi, self::LONGEST_WAIT_S) < 1) {
                    // Curl does not wait while it has no socket.
                    usleep(self::SHORTEST_WAIT_US);
                }
            }
            return (curl_multi_info_read($this->multi) ?: ['result' => CURLE_RECV_ERROR])['result'];
        } finally {
            curl_multi_remove_handle($this->multi, $handle);
        }
    }

    private function open(#[\SensitiveParameter] Request $request): Response
    {
        $handle = curl_init();
        $receiver = new CurlReceiver($request);
        $options = $this->optionsOf($request, $receiver);
        // A compressed stream would be delayed by buffers.
        unset($options[CURLOPT_TIMEOUT_MS], $options[CURLOPT_ENCODING]);
        curl_setopt_array($handle, $options);
        $stream = new CurlStream($handle, $receiver, $request);
        $stream->awaitHead();
        return new Response($receiver->status, $receiver->headers, chunks: $stream->chunks());
    }

    /** @return array<int, mixed> */
    private function optionsOf(Request $request, CurlReceiver $receiver): array
    {
        $timeoutMs = max(1, (int) ceil($request->timeout * 1000));
        // An empty `Expect:` avoids that curl waits a second for permission to send a long body.
        $fields = ['Expect:'];
        foreach ($request->headers as $name => $value) {
            $fields[] = "$name: $value";
        }
        $options = [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_CONNECTTIMEOUT_MS => $timeoutMs,
            CURLOPT_TIMEOUT_MS => $timeoutMs,
            CURLOPT_ENCODING => '',
        ];
        if ($request->body !== null) {
            $options[CURLOPT_POSTFIELDS] = $request->body;
        } elseif ($request->method === 'POST') {
            $options[CURLOPT_POSTFIELDS] = '';
            $fields[] = 'Content-Type:';
        }
        $options[CURLOPT_HTTPHEADER] = $fields;
        if (str_starts_with(strtolower($request->url), 'http:')) {
            // A proxy could read the key, because the request is not encrypted.
            $options[CURLOPT_NOPROXY] = '*';
        }
        return $options + $receiver->options() + $this->options;
    }

    /** @return array<string, mixed> Without the options, because a proxy may have a password. */
    public function __debugInfo(): array
    {
        return [];
    }
}
