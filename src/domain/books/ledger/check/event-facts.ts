import { z } from 'zod'
import type { Queryable } from '../../../../db/client.ts'
import { formatUnits } from '../../../../kernel/money/money.ts'

/**
 * Events are kept for at least 90 days. The check expects only events of the last 60 days, because
 * clocks can differ.
 */
const SURELY_KEPT_MS = 60 * 24 * 3_600_000
export const keptSince = (now: Date): Date => new Date(now.getTime() - SURELY_KEPT_MS)

/** SQL for a table `event` of the events with these types, and their bodies. */
export const eventsOf = (sql: Queryable, types: readonly string[]) => sql`
  (select event.*, event.body from event
   where type = any(${types as string[]}) and not test offset 0) event`

/** SQL that finds an id in an event's body. Relies on `emit`, which writes JSON without spaces. */
export const idIn = (sql: Queryable, name: string) =>
  sql`split_part(split_part(body, ${`"${name}":"`}, 2), '"', 1)`

const Money = z.object({ value: z.string(), currency: z.string() })
type Money = z.output<typeof Money>

const CompletedDonation = z.object({
  /** Null for a donation that a guest recorded. */
  userId: z.string().nullable(),
  declaredAmount: Money,
  transaction: z.object({ timestamp: z.iso.datetime() }),
})

const EVENT_FACTS = {
  'donation.completed': CompletedDonation,
  'campaign.updated': z.object({ status: z.string() }),
  'campaign.funded': z.object({ targetAmount: Money }),
  'campaign.milestone.reached': z.object({ amount: Money }),
} as const

type Facts<T extends keyof typeof EVENT_FACTS> = z.output<(typeof EVENT_FACTS)[T]>

/** Reads the data in an event's body. Returns undefined if the body has an unknown shape. */
export const readFacts = <T extends keyof typeof EVENT_FACTS>(
  type: T,
  body: string,
): Facts<T> | undefined => {
  try {
    const { data } = JSON.parse(body) as { data: unknown }
    return EVENT_FACTS[type].parse(data) as Facts<T>
  } catch {
    return undefined
  }
}

/** A stored amount in base units, with the decimals and the symbol of its asset. */
export type StoredMoney = { units: string; decimals: number; symbol: string }

export const moneyText = ({ units, decimals, symbol }: StoredMoney): string =>
  `${formatUnits(BigInt(units), decimals)} ${symbol}`

export const saidText = (said: Money | undefined): string =>
  said ? `${said.value} ${said.currency}` : 'unreadable event'

/** Whether an event has the stored amount. Accepts an old symbol, because assets can be renamed. */
export const saysMoney = (
  stored: StoredMoney,
  said: Money,
  symbols: ReadonlySet<string>,
): boolean =>
  formatUnits(BigInt(stored.units), stored.decimals) === said.value &&
  (stored.symbol === said.currency || !symbols.has(said.currency))

export const readSymbols = async (sql: Queryable): Promise<Set<string>> =>
  new Set((await sql<{ symbol: string }[]>`select symbol from asset`).map(({ symbol }) => symbol))
