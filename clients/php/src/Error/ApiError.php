<?php

declare(strict_types=1);

namespace Fundproof\Error;

use Fundproof\RateLimit;

/**
 * The service answered with an error.
 *
 *     try {
 *         $fundproof->donations->get($id);
 *     } catch (ApiError $error) {
 *         error_log("{$error->errorCode} {$error->getMessage()} (request {$error->requestId})");
 *     }
 */
class ApiError extends FundproofError
{
    /**
     * @param string|null $errorCode A stable word for programs, one of
     *     `Fundproof\Model\ErrorCode` or newer. Null if the answer is not of the service.
     * @param int $status The status of HTTP, which is also the result of `getCode()`.
     * @param list<ErrorDetail> $details The refused fields of the request.
     * @param float|null $retryAfter The wait that the service asks for, in seconds.
     * @param array<string, string> $headers The header fields of the answer, in lower case.
     * @param int $attempts How many requests were sent.
     * @param string|null $requires The step to do first, one of `Fundproof\Model\Requirement`.
     */
    final public function __construct(
        string $message,
        public readonly ?string $errorCode,
        public readonly int $status,
        public readonly ?string $requestId = null,
        public readonly array $details = [],
        public readonly ?float $retryAfter = null,
        public readonly array $headers = [],
        public readonly ?RateLimit $rateLimit = null,
        public readonly int $attempts = 1,
        public readonly ?string $requires = null,
    ) {
        parent::__construct($message, $status);
    }
}
