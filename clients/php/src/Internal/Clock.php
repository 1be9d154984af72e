<?php

declare(strict_types=1);

namespace Fundproof\Internal;

/**
 * Time and chance, which tests replace.
 *
 * @internal
 */
interface Clock
{
    /** Seconds since 1970. */
    public function now(): float;

    /**
     * Waits. Ends early when the signal says so.
     *
     * @param (\Closure(): bool)|null $signal
     */
    public function sleep(float $seconds, ?\Closure $signal = null): void;

    /** A number from 0 to 1. */
    public function random(): float;
}
