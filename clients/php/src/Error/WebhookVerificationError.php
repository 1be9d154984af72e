<?php

declare(strict_types=1);

namespace Fundproof\Error;

/** A webhook is not proven to come from the service. Answer the request with status 400. */
final class WebhookVerificationError extends FundproofError
{
    public const NO_SIGNATURE = 'no_signature';
    public const BAD_TIMESTAMP = 'bad_timestamp';
    public const TOO_OLD = 'too_old';
    public const TOO_NEW = 'too_new';
    public const NO_MATCH = 'no_match';
    public const NOT_RAW = 'not_raw';
    public const BAD_SECRET = 'bad_secret';

    /** @param string $reason One of the constants of this class. */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
