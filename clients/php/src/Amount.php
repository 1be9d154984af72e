<?php

declare(strict_types=1);

namespace Fundproof;

use TypeError;
use ValueError;

/** Amounts are decimal texts such as '25.10', because a float cannot hold every amount. */
final class Amount
{
    /**
     * Returns the amount as the service takes it.
     *
     * @throws TypeError for a float, which may already have lost digits, and for a boolean
     * @throws ValueError for a text that is no decimal number
     */
    public static function text(string|int|float|bool $amount): string
    {
        if (is_float($amount) || is_bool($amount)) {
            throw new TypeError('Amounts are texts or integers, not floats: write \'25.10\'.');
        }
        $text = (string) $amount;
        if (preg_match('/^-?\d+(\.\d+)?$/D', $text) !== 1) {
            throw new ValueError("'$text' is no decimal number such as 25.10.");
        }
        return $text;
    }

    /**
     * Writes an amount for a request. Keeps null and `NotGiven`.
     *
     * @internal
     */
    public static function write(
        string|int|float|bool|NotGiven|null $amount,
    ): string|NotGiven|null {
        return $amount === null || $amount instanceof NotGiven ? $amount : self::text($amount);
    }

    /**
     * Reads an amount of an answer. A number gives a TypeError, because it may have lost digits.
     *
     * @internal
     */
    public static function read(string $wire): string
    {
        return $wire;
    }
}
