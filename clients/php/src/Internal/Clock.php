<?php

declare(strict_types=1);

namespace Fundproof\Internal;

/**
 * The clock and the random numbers, which tests replace.
 *
 * @internal
 */
interface Clock
{
    /** Seconds since 1970. */
    public function now(): float;

    /**
     * Waits. Ends early if `$signal` returns true.
     *
     * @param (\Closure(): bool)|null $signal
     */
    public function sleep(float $seconds, ?\Closure $signal = null): void;

    /** A number from 0 to 1. */
    public function random(): float;
}
