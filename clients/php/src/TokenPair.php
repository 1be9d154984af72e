<?php

declare(strict_types=1);

namespace Fundproof;

use DateTimeImmutable;
use Fundproof\Model\Tokens;

/** The tokens of a session. The client refreshes them; `onTokens` gets each new pair. */
final class TokenPair
{
    /** @param DateTimeImmutable|null $expiresAt When the access token ends, if you know it. */
    public function __construct(
        #[\SensitiveParameter] public readonly string $accessToken,
        #[\SensitiveParameter] public readonly string $refreshToken,
        public readonly ?DateTimeImmutable $expiresAt = null,
    ) {
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
