<?php

declare(strict_types=1);

namespace Fundproof\Transport;

use Closure;
use Fundproof\Error\FundproofError;
use LogicException;

/**
 * Answers from a script, for your own tests. It keeps the requests that it was asked to send.
 *
 *     $fake = new FakeTransport([
 *         FakeTransport::json(404, ['error' => 'Not there.', 'code' => 'not_found']),
 *     ]);
 *     $client = new Client(environment: 'sandbox', baseUrl: 'https://fake.test', transport: $fake);
 */
final class FakeTransport implements Transport
{
    /** @var list<Request> The requests so far, oldest first. */
    public array $requests = [];

    /** @param list<Response|FundproofError|Closure(Request): Response> $script In their order. */
    public function __construct(private array $script = [])
    {
    }

    /**
     * An answer with a JSON body.
     *
     * @param array<string, mixed>|object $body
     * @param array<string, string> $headers
     */
    public static function json(int $status, array|object $body, array $headers = []): Response
    {
        $headers += ['content-type' => 'application/json'];
        return new Response($status, $headers, json_encode($body, JSON_THROW_ON_ERROR));
    }

    /** Adds an answer to the end of the script. */
    public function then(Response|FundproofError|Closure $answer): self
    {
        $this->script[] = $answer;
        return $this;
    }

    /** @inheritDoc */
    public function send(#[\SensitiveParameter] Request $request): Response
    {
        $this->requests[] = $request;
        $answer = array_shift($this->script);
        if ($answer === null) {
            throw new LogicException("No answer is left for $request->method $request->url.");
        }
        if ($answer instanceof FundproofError) {
            throw $answer;
        }
        $answer = $answer instanceof Closure ? $answer($request) : $answer;
        return $request->stream && $answer->chunks === null
            ? new Response($answer->status, $answer->headers, chunks: [$answer->body])
            : $answer;
    }
}
