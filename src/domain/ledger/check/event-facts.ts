import { z } from 'zod'
import type { Queryable } from '../../../db/client.ts'
import { formatUnits } from '../../../kernel/money.ts'

/** An amount as an event says it. */
const Money = z.object({ value: z.string(), currency: z.string() })
type Money = z.output<typeof Money>

const CompletedDonation = z.object({
  /** Null for what a guest recorded. */
  userId: z.string().nullable(),
  amount: Money,
  /** Events from before it was there have the declared amount in `amount`. */
  declaredAmount: Money.optional(),
  transaction: z.object({ timestamp: z.iso.datetime() }),
})

export const EVENT_FACTS = {
  'donation.completed': CompletedDonation,
  'campaign.updated': z.object({ status: z.string() }),
  'campaign.funded': z.object({ targetAmount: Money }),
  'campaign.milestone.reached': z.object({ amount: Money }),
} as const

type Facts<T extends keyof typeof EVENT_FACTS> = z.output<(typeof EVENT_FACTS)[T]>

/** The data of an event's body. Undefined for a body that no event has. */
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

/** A stored amount, in the words of an event. */
export type StoredMoney = { units: string; decimals: number; symbol: string }

export const moneyText = ({ units, decimals, symbol }: StoredMoney): string =>
  `${formatUnits(BigInt(units), decimals)} ${symbol}`

/** Whether an event says this amount. A symbol that no asset has any more was renamed since. */
export const saysMoney = (
  stored: StoredMoney,
  said: Money,
  symbols: ReadonlySet<string>,
): boolean =>
  formatUnits(BigInt(stored.units), stored.decimals) === said.value &&
  (stored.symbol === said.currency || !symbols.has(said.currency))

export const readSymbols = async (sql: Queryable): Promise<Set<string>> =>
  new Set((await sql<{ symbol: string }[]>`select symbol from asset`).map(({ symbol }) => symbol))
