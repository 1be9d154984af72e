import type { Context } from '../../src/db/context.ts'

/** The types of all events, in the order in which they happened. */
export const eventTypes = async ({ sql }: Pick<Context, 'sql'>): Promise<string[]> =>
  (await sql<{ type: string }[]>`select type from event order by seq`).map(({ type }) => type)
