import type { Context } from '../../../../src/db/context.ts'
import { BEGINNING, type Position, readFeed } from '../../../../src/domain/events/index.ts'
import { emit, type NewEvent } from '../../../../src/outbox/emit.ts'

/** Makes an event that concerns these users. */
export const verified = (users: string | string[]): NewEvent => {
  const audience = [users].flat()
  return {
    type: 'user.verified',
    campaignId: null,
    audience,
    data: { userId: audience[0] ?? '', verifiedAt: new Date().toISOString() },
  }
}

export const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id)

/** Commits this number of events, each in a separate transaction. Returns their ids in order. */
export const happened = async (
  ctx: Context,
  users: string | string[],
  count: number,
): Promise<string[]> => {
  const [before] = await ctx.sql<{ seq: number }[]>`
    select coalesce(max(seq), 0) as seq from event`
  for (let made = 0; made < count; made++) await emit(ctx, [verified(users)])
  return idsOf(
    await ctx.sql<{ id: string }[]>`
      select id from event where seq > ${before?.seq ?? 0} and not test order by seq`,
  )
}

/** Reads all pages of the feed after a position. */
export const readAll = async (
  ctx: Context,
  after: Position = BEGINNING,
): Promise<{ events: { id: string }[]; next: Position }> => {
  const events: { id: string }[] = []
  let next = after
  for (;;) {
    const page = await readFeed(ctx, { after: next, filter: {}, limit: 100 })
    events.push(...page.items.map(({ body }) => JSON.parse(body) as { id: string }))
    next = page.next
    if (!page.hasMore) return { events, next }
  }
}
