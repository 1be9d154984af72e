<?php

declare(strict_types=1);

namespace Fundproof\Transport;

use CurlHandle;
use Fundproof\Internal\CurlReceiver;
use Fundproof\Internal\CurlStream;

/**
 * The default transport, over ext-curl. It keeps one handle, so that requests share a connection.
 *
 *     new CurlTransport([CURLOPT_PROXY => 'http://proxy:3128', CURLOPT_CAINFO => '/etc/ca.pem']);
 */
final class CurlTransport implements Transport
{
    private ?CurlHandle $handle = null;
    private bool $busy = false;

    /** @param array<int, mixed> $options Further options of curl, such as a proxy. */
    public function __construct(#[\SensitiveParameter] private readonly array $options = [])
    {
    }

    /** @inheritDoc */
    public function send(Request $request): Response
    {
        if ($request->stream) {
            return $this->open($request);
        }
        if ($this->busy) {
            // A hook of a running request sends another one, and a running handle is not usable.
            return (new self($this->options))->send($request);
        }
        $this->handle ??= curl_init();
        $receiver = new CurlReceiver($request);
        $this->busy = true;
        try {
            curl_setopt_array($this->handle, $this->optionsOf($request, $receiver));
            curl_exec($this->handle);
            $receiver->check(curl_errno($this->handle), curl_error($this->handle));
            return new Response($receiver->status, $receiver->headers, $receiver->take());
        } finally {
            // The connection stays open; the header fields and the body are forgotten.
            curl_reset($this->handle);
            $this->busy = false;
        }
    }

    private function open(Request $request): Response
    {
        $handle = curl_init();
        $receiver = new CurlReceiver($request);
        $options = $this->optionsOf($request, $receiver);
        // A compressed stream would wait in buffers.
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
        // Without an empty `Expect:` curl asks before it sends a long body, and waits a second.
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
            // A proxy would read the key in plain text. Only this machine has addresses with http.
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
