<?php

declare(strict_types=1);

namespace Fundproof;

use Closure;

/**
 * Where several processes keep the tokens of the session that they share. The client loads the
 * newest pair and refreshes it under the lock, so that only one process refreshes.
 */
interface TokenStore
{
    /**
     * Waits until no other process holds the lock, runs `$work` and releases the lock. The lock
     * must also end with its process.
     *
     * @param Closure(): void $work
     */
    public function lock(Closure $work): void;

    /** Returns the stored pair with its `expiresAt`, or null if there is none. */
    public function load(): ?TokenPair;

    /** Stores a pair, completely or not at all. */
    public function save(#[\SensitiveParameter] TokenPair $tokens): void;
}
