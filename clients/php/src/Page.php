<?php

declare(strict_types=1);

namespace Fundproof;

use Closure;
use Fundproof\Error\FundproofError;
use Generator;
use IteratorAggregate;

/**
 * One page of a list. A loop over a page visits all items of this page and of the later pages,
 * which are fetched when they are needed.
 *
 *     foreach ($fundproof->donations->list(campaignId: $id) as $donation) {
 *         echo $donation->id, "\n";
 *     }
 *
 * @template T
 * @implements IteratorAggregate<int, T>
 */
final class Page implements IteratorAggregate
{
    /**
     * @param list<T> $items The items of this page alone.
     * @param int|null $total The number of items of all pages, where the service counts it.
     * @param string|null $nextCursor Where the next page begins.
     * @param bool $hasMore Whether there is a next page now.
     * @param string|null $cursor Where this page began.
     * @param Closure(string): self<T> $fetch
     * @internal
     */
    public function __construct(
        public readonly array $items,
        public readonly ?int $total,
        public readonly ?string $nextCursor,
        public readonly bool $hasMore,
        private readonly ?string $cursor,
        public readonly ResponseInfo $response,
        private readonly Closure $fetch,
    ) {
    }

    /**
     * Fetches the next page. Returns null after the last page.
     *
     * @return self<T>|null
     */
    public function next(): ?self
    {
        if (!$this->hasMore || $this->nextCursor === null) {
            return null;
        }
        if ($this->nextCursor === $this->cursor) {
            throw new FundproofError('The service sent the same cursor twice; the list would not end.');
        }
        return ($this->fetch)($this->nextCursor);
    }

    /**
     * This page and all later pages.
     *
     * @return Generator<int, self<T>>
     */
    public function pages(): Generator
    {
        for ($page = $this; $page !== null; $page = $page->next()) {
            yield $page;
        }
    }

    /** @return Generator<int, T> The items of this page and of all later pages. */
    public function getIterator(): Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page->items as $item) {
                yield $item;
            }
        }
    }
}
