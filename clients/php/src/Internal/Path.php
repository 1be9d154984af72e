<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use ValueError;

/** @internal */
final class Path
{
    /**
     * Puts values into a path such as `/api/donations/{id}`, in order, each encoded.
     *
     * @throws ValueError for a value that would lead to another path
     */
    public static function of(string $template, string ...$values): string
    {
        $encoded = array_map(self::encode(...), array_values($values));
        $parts = preg_split('/\{[^}]+\}/', $template);
        if (count($parts) !== count($encoded) + 1) {
            throw new ValueError("The path $template has another number of values.");
        }
        $path = $parts[0];
        foreach ($encoded as $place => $value) {
            $path .= $value . $parts[$place + 1];
        }
        return $path;
    }

    /** Encodes one segment of a path. */
    public static function encode(string $value): string
    {
        if ($value === '' || $value === '.' || $value === '..') {
            throw new ValueError("'$value' is no id.");
        }
        return rawurlencode($value);
    }
}
