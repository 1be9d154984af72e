<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Closure;
use DateTimeImmutable;
use Fiber;
use Fundproof\Model\Tokens;
use Fundproof\RequestOptions;
use Fundproof\TokenPair;
use LogicException;

/**
 * The tokens of a client and its copies. Refreshes them one call at a time, because a refresh
 * token that is used twice ends the session.
 *
 * @internal
 */
final class TokenSession
{
    private const EARLY_S = 30;

    private ?Sender $sender = null;
    private bool $isRefreshing = false;
    /** The idempotency key of the refresh, the same until the refresh succeeds. */
    private ?string $key = null;

    /**
     * @param (Closure(TokenPair): void)|null $onTokens
     * @param (Closure(Closure(): TokenPair, TokenPair): TokenPair)|null $lock
     */
    public function __construct(
        #[\SensitiveParameter] private TokenPair $tokens,
        private readonly ?Closure $onTokens = null,
        private readonly ?Closure $lock = null,
    ) {
    }

    /** Names the sender that refreshes. The first one stays. */
    public function connect(Sender $sender): void
    {
        $this->sender ??= $sender;
    }

    /** Returns the access token, after a refresh if it ends within 30 seconds. */
    public function bearer(): string
    {
        $ends = $this->tokens->expiresAt;
        $now = $this->sender()->settings->clock->now();
        if ($ends !== null && $ends->getTimestamp() - $now < self::EARLY_S) {
            $this->renew($this->tokens->accessToken);
        }
        return $this->tokens->accessToken;
    }

    /** Refreshes, unless another call has already replaced the access token `$old`. */
    public function renew(#[\SensitiveParameter] string $old): void
    {
        while ($this->isRefreshing) {
            if (Fiber::getCurrent() === null) {
                throw new LogicException('A hook of a token refresh must not use the client.');
            }
            Fiber::suspend();
        }
        if ($this->tokens->accessToken !== $old) {
            return;
        }
        $this->isRefreshing = true;
        try {
            $refresh = $this->refresh(...);
            $new = $this->lock === null ? $refresh() : ($this->lock)($refresh, $this->tokens);
            $this->key = null;
            $this->tokens = $new;
        } finally {
            $this->isRefreshing = false;
        }
    }

    /** @return array<string, mixed> Without the tokens. */
    public function __debugInfo(): array
    {
        return [];
    }

    /** Asks for a new pair, and lets the caller store it before it is used. */
    private function refresh(): TokenPair
    {
        $this->key ??= 'auto_' . bin2hex(random_bytes(16));
        $answer = $this->sender()->send(new Call(
            'POST',
            '/api/auth/refresh',
            body: Wire::object(['refreshToken' => $this->tokens->refreshToken]),
            options: new RequestOptions(idempotencyKey: $this->key),
            signed: false,
        ));
        $tokens = $answer->read('tokens', Tokens::fromWire(...));
        $now = $this->sender()->settings->clock->now();
        $ends = new DateTimeImmutable('@' . ((int) $now + $tokens->expires));
        $pair = new TokenPair($tokens->accessToken, $tokens->refreshToken, $ends);
        if ($this->onTokens !== null) {
            ($this->onTokens)($pair);
        }
        return $pair;
    }

    private function sender(): Sender
    {
        return $this->sender ?? throw new LogicException('The session has no client.');
    }
}
