<?php

declare(strict_types=1);

namespace Fundproof\Internal;

/** @internal */
final class Query
{
    /**
     * Writes a query with its question mark, or an empty text. Leaves null out, and repeats the
     * name for each value of a list.
     *
     * @param array<string, mixed> $fields
     */
    public static function of(array $fields): string
    {
        $pairs = [];
        foreach ($fields as $name => $value) {
            foreach (is_array($value) ? $value : [$value] as $one) {
                if ($one !== null) {
                    $pairs[] = rawurlencode($name) . '=' . rawurlencode(self::text($one));
                }
            }
        }
        return $pairs === [] ? '' : '?' . implode('&', $pairs);
    }

    private static function text(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            $value instanceof \DateTimeInterface => Wire::timeText($value),
            default => (string) $value,
        };
    }
}
