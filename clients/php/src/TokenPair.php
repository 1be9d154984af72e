<?php

declare(strict_types=1);

namespace Fundproof;

use DateTimeImmutable;
use Fundproof\Error\ConfigurationError;
use Fundproof\Model\Tokens;

/** The tokens of a session. The client refreshes them; `onTokens` gets each new pair. */
final class TokenPair
{
    /**
     * @param DateTimeImmutable|null $expiresAt When the access token ends, if you know it.
     * @throws ConfigurationError for an access token that no header field may carry
     */
    public function __construct(
        #[\SensitiveParameter] public readonly string $accessToken,
        #[\SensitiveParameter] public readonly string $refreshToken,
        public readonly ?DateTimeImmutable $expiresAt = null,
    ) {
        if (preg_match('/^[\x21-\x7e]+$/D', $accessToken) !== 1) {
            throw new ConfigurationError('The access token is empty, or it has a character that is no visible ASCII.');
        }
    }

    /** Makes a pair from the tokens of a sign-in that was answered just now. */
    public static function from(#[\SensitiveParameter] Tokens $tokens): self
    {
        $expiresAt = new DateTimeImmutable("+{$tokens->expires} seconds");
        return new self($tokens->accessToken, $tokens->refreshToken, $expiresAt);
    }

    /** @return array<string, mixed> Without the tokens. */
    public function __debugInfo(): array
    {
        return ['expiresAt' => $this->expiresAt];
    }
}
