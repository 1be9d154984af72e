import { Call, type CallOptions, type WithResponse } from './call.ts'
import type { Core } from './core.ts'
import { FundproofError } from './errors.ts'
import type { Operation } from './operation.ts'

/** Asks for the page after a cursor. */
type NextPage<T> = (cursor: string) => Promise<Page<T>>

/** One page of a list. A loop over a page continues with the items of the later pages. */
export class Page<T> implements AsyncIterable<T> {
  readonly items: readonly T[]
  /** How many items the whole list has. Null for a list of events, and beyond 10000. */
  readonly total: number | null
  /** The position after this page. Null on the last page, but never null in a list of events. */
  readonly nextCursor: string | null
  readonly hasMore: boolean
  readonly #cursor: string | null
  readonly #next: NextPage<T>

  constructor(
    content: Pick<Page<T>, 'items' | 'total' | 'nextCursor' | 'hasMore'>,
    source: { cursor: string | null; next: NextPage<T> },
  ) {
    this.items = content.items
    this.total = content.total
    this.nextCursor = content.nextCursor
    this.hasMore = content.hasMore
    this.#cursor = source.cursor
    this.#next = source.next
  }

  /** The page after this page. Null after the last page. */
  async nextPage(): Promise<Page<T> | null> {
    const { nextCursor } = this
    if (!this.hasMore || nextCursor === null) return null
    if (nextCursor === this.#cursor) {
      throw new FundproofError(
        'The service answered with the cursor that was sent, so the list would not end.',
      )
    }
    return this.#next(nextCursor)
  }

  /**
   * The items of this page, then the items of the later pages. Requests each page when it is
   * needed.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let page: Page<T> | null = this; page !== null; page = await page.nextPage()) {
      yield* page.items
    }
  }
}

/** The call of a list: await it for the first page, or iterate over all items of all pages. */
export class List<T> extends Call<Page<T>> implements AsyncIterable<T> {
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* await this
  }

  /** All items of all pages. Give `limit` as a bound, because a list may be long. */
  async toArray({ limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}): Promise<T[]> {
    const items: T[] = []
    for await (const item of this) {
      if (items.length >= limit) break
      items.push(item)
    }
    return items
  }
}

/** The largest page of the service. */
const PAGE_LIMIT = 100

type ListContent<T> = {
  items: T[]
  pagination?: { total: number | null; nextCursor: string | null }
  nextCursor?: string
  hasMore?: boolean
}

/** Asks for the first page of a list. */
export const openList = <T>(
  core: Core,
  operation: Operation,
  segments: readonly unknown[],
  params: object,
  options: CallOptions | undefined,
): List<T> => {
  const { by } = operation
  const ask = async (query: object, cursor: string | null): Promise<WithResponse<Page<T>>> => {
    const asked = { operation, segments, params: query, options }
    const { data, response } = await core.send(asked)
    const content = data as ListContent<T>
    const nextCursor = content.pagination?.nextCursor ?? content.nextCursor ?? null
    const page = {
      items: content.items,
      total: content.pagination?.total ?? null,
      nextCursor,
      hasMore: content.hasMore ?? nextCursor !== null,
    }
    return { data: new Page(page, { cursor, next }), response }
  }
  const given: { limit?: unknown; cursor?: string; after?: string } = params
  const first = { ...params, limit: given.limit ?? PAGE_LIMIT }
  const next = async (cursor: string): Promise<Page<T>> => {
    // A cursor replaces the parameter `page`, and a position replaces `from`.
    const more = by === 'after' ? { from: undefined, after: cursor } : { page: undefined, cursor }
    return (await ask({ ...first, ...more }, cursor)).data
  }
  return new List<T>(ask(first, (by === 'after' ? given.after : given.cursor) ?? null))
}
