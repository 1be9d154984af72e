<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Closure;
use DateTimeImmutable;
use Fiber;
use Fundproof\Error\AuthenticationError;
use Fundproof\Model\Tokens;
use Fundproof\RequestOptions;
use Fundproof\TokenPair;
use Fundproof\TokenStore;
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

    private Secret $pair;
    private bool $isRefreshing = false;
    /** The idempotency key of the refresh. It stays the same until the refresh succeeds. */
    private ?string $key = null;

    /** @param (Closure(TokenPair): void)|null $onTokens */
    public function __construct(
        #[\SensitiveParameter] TokenPair $tokens,
        private readonly ?Closure $onTokens = null,
        private readonly ?TokenStore $store = null,
    ) {
        $this->take($tokens);
    }

    /** Returns the access token, after a refresh if it ends within 30 seconds. */
    public function bearer(#[\SensitiveParameter] Sender $sender, RequestOptions $options): string
    {
        if (self::ends($this->tokens(), $sender) === true) {
            $this->renew($this->tokens()->accessToken, $sender, $options);
        }
        return $this->tokens()->accessToken;
    }

    /**
     * Refreshes, unless another call has already replaced the access token `$old`. The timeout,
     * the retries and the signal of the call hold for the refresh too.
     */
    public function renew(
        #[\SensitiveParameter] string $old,
        #[\SensitiveParameter] Sender $sender,
        RequestOptions $options,
    ): void {
        while ($this->isRefreshing) {
            if (Fiber::getCurrent() === null) {
                throw new LogicException('A hook of a token refresh must not use the client.');
            }
            Fiber::suspend();
            $options->check('The signal ended the wait for a token refresh.');
        }
        if ($this->tokens()->accessToken !== $old) {
            return;
        }
        $this->isRefreshing = true;
        try {
            $this->store === null
                ? $this->refresh($sender, $options)
                : $this->store->lock(fn () => $this->share($sender, $options));
        } finally {
            $this->isRefreshing = false;
        }
    }

    /** Uses the pair of another process if it is newer. Otherwise refreshes. */
    private function share(#[\SensitiveParameter] Sender $sender, RequestOptions $options): void
    {
        $own = $this->tokens();
        $stored = $this->store?->load() ?? $own;
        $isOlder = isset($own->expiresAt, $stored->expiresAt) && $stored->expiresAt < $own->expiresAt;
        if ($stored->accessToken !== $own->accessToken && !$isOlder) {
            $this->take($stored);
            if (self::ends($stored, $sender) === false) {
                return;
            }
            try {
                $this->refresh($sender, $options);
                return;
            } catch (AuthenticationError) {
                // The stored pair belongs to an older session, which has ended.
                $this->take($own);
            }
        }
        $this->refresh($sender, $options);
    }

    /** Requests a new pair, and lets the caller store it before it is used. */
    private function refresh(#[\SensitiveParameter] Sender $sender, RequestOptions $options): void
    {
        $this->key ??= 'auto_' . bin2hex(random_bytes(16));
        $answer = $sender->send(new Call(
            'POST',
            '/api/auth/refresh',
            body: Wire::object(['refreshToken' => $this->tokens()->refreshToken]),
            options: $options->with(idempotencyKey: $this->key, headers: []),
            signed: false,
        ));
        $tokens = $answer->read('tokens', Tokens::fromWire(...));
        $ends = (int) $sender->settings->clock->now() + $tokens->expires;
        $pair = new TokenPair(
            $tokens->accessToken,
            $tokens->refreshToken,
            new DateTimeImmutable("@$ends"),
        );
        $this->store?->save($pair);
        if ($this->onTokens !== null) {
            ($this->onTokens)($pair);
        }
        $this->take($pair);
    }

    private function tokens(): TokenPair
    {
        return $this->pair->reveal();
    }

    private function take(#[\SensitiveParameter] TokenPair $tokens): void
    {
        $this->key = null;
        $this->pair = new Secret($tokens);
    }

    /** Whether a pair has expired, or will soon. Null if its end is unknown. */
    private static function ends(#[\SensitiveParameter] TokenPair $pair, Sender $sender): ?bool
    {
        $left = $pair->expiresAt?->getTimestamp() - $sender->settings->clock->now();
        return $pair->expiresAt === null ? null : $left < self::EARLY_S;
    }
}
