<?php

declare(strict_types=1);

namespace Fundproof\Internal;

use Fundproof\Page;

/**
 * Reads lists page by page.
 *
 * @internal
 */
final class Lists
{
    /** The largest page size of the service. */
    private const LIMIT = 100;

    /**
     * Fetches a page whose `pagination` names the next page.
     *
     * @template T
     * @param callable(mixed): T $read Reads one item.
     * @return Page<T>
     */
    public static function byCursor(
        #[\SensitiveParameter] Sender $sender,
        Call $call,
        string $field,
        callable $read,
    ): Page {
        $query = $call->query;
        $query['limit'] ??= self::LIMIT;
        $answer = $sender->send($call->with($query));
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
                $call->with(['cursor' => $cursor] + $query),
                $field,
                $read,
            ),
        );
    }

    /**
     * Fetches a page of a feed, which always names the position after this page.
     *
     * @template T
     * @param callable(mixed): T $read Reads one item.
     * @return Page<T>
     */
    public static function byPosition(
        #[\SensitiveParameter] Sender $sender,
        Call $call,
        string $field,
        callable $read,
    ): Page {
        $query = $call->query;
        $query['limit'] ??= self::LIMIT;
        $answer = $sender->send($call->with($query));
        return new Page(
            self::items($answer, $field, $read),
            null,
            $answer->json->nextCursor ?? null,
            $answer->json->hasMore ?? false,
            $query['after'] ?? null,
            $answer->response,
            static fn (string $cursor): Page => self::byPosition(
                $sender,
                $call->with(['after' => $cursor] + $query),
                $field,
                $read,
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
