<?php

declare(strict_types=1);

namespace Fundproof\Transport;

use Fundproof\Error\ConnectionError;

/** Sends one request. The client adds retries, errors and pauses. */
interface Transport
{
    /**
     * Returns every answer, good or bad, and follows no redirect. If `$request->stream` is true,
     * the answer carries its body as `chunks`, which are read while they come.
     *
     * @throws ConnectionError if no complete answer came
     */
    public function send(#[\SensitiveParameter] Request $request): Response;
}
