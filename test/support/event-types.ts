import type { Context } from '../../src/db/context.ts'

/** Lists the types of all events, oldest first. */
export const eventTypes = async ({ sql }: Pick<Context, 'sql'>): Promise<string[]> =>
  (await sql<{ type: string }[]>`select type from event order by seq`).map(({ type }) => type)
