<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Page;
use Fundproof\RequestOptions;

/**
 * Reads lists page by page.
 *
 * @internal
 */
final class Lists
{
    /** The most that the service puts on a page. */
    private const LIMIT = 100;

    /**
     * Fetches a page that names the next one in `pagination`.
     *
     * @template T
     * @param array<string, mixed> $query
     * @param callable(mixed): T $read Reads one item.
     * @return Page<T>
     */
    public static function byCursor(
        #[\SensitiveParameter] Sender $sender,
        string $path,
        array $query,
        string $field,
        callable $read,
        ?RequestOptions $options,
    ): Page {
        $query['limit'] ??= self::LIMIT;
        $answer = $sender->send(new Call('GET', $path, $query, options: $options));
        $pagination = $answer->json->pagination ?? null;
        $next = $pagination->nextCursor ?? null;
        unset($query['page']);
        return new Page(
            self::items($answer, $field, $read),
            $pagination->total ?? null,
            $next,
            $next !== null,
            $query['cursor'] ?? null,
            $answer->response,
            static fn (string $cursor): Page => self::byCursor(
                $sender,
                $path,
                ['cursor' => $cursor] + $query,
                $field,
                $read,
                $options,
            ),
        );
    }

    /**
     * Fetches a page of a feed, which always names the position after it.
     *
     * @template T
     * @param array<string, mixed> $query
     * @param callable(mixed): T $read Reads one item.
     * @return Page<T>
     */
    public static function byPosition(
        #[\SensitiveParameter] Sender $sender,
        string $path,
        array $query,
        string $field,
        callable $read,
        ?RequestOptions $options,
    ): Page {
        $query['limit'] ??= self::LIMIT;
        $answer = $sender->send(new Call('GET', $path, $query, options: $options));
        return new Page(
            self::items($answer, $field, $read),
            null,
            $answer->json->nextCursor ?? null,
            $answer->json->hasMore ?? false,
            $query['after'] ?? null,
            $answer->response,
            static fn (string $cursor): Page => self::byPosition(
                $sender,
                $path,
                ['after' => $cursor] + $query,
                $field,
                $read,
                $options,
            ),
        );
    }

    /**
     * @template T
     * @param callable(mixed): T $read
     * @return list<T>
     */
    private static function items(Answer $answer, string $field, callable $read): array
    {
        return $answer->read($field, static fn (array $items): array => Wire::each($items, $read));
    }
}
