<?php

declare(strict_types=1);

namespace Fundproof\Internal;

/** @internal */
final class SystemClock implements Clock
{
    private const SLICE_S = 0.1;

    public function now(): float
    {
        return microtime(true);
    }

    public function sleep(float $seconds, ?\Closure $signal = null): void
    {
        $until = hrtime(true) / 1e9 + $seconds;
        while (($left = $until - hrtime(true) / 1e9) > 0) {
            if ($signal !== null && $signal()) {
                return;
            }
            $slice = $signal === null ? $left : min($left, self::SLICE_S);
            usleep((int) ceil($slice * 1e6));
        }
    }

    public function random(): float
    {
        return random_int(0, 1_000_000) / 1_000_000;
    }
}
