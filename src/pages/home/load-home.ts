import type { Context } from '../../db/context.ts'
import { readProgress } from '../../domain/blocks/index.ts'
import { findNewestProof, readProvenTotals } from '../../domain/books/index.ts'
import {
  ListCampaigns,
  type ListedCampaignView,
  listCampaigns,
  type MoneyFacts,
  readMoneyFacts,
} from '../../domain/campaigns/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { CampaignStatus } from '../../kernel/statuses.ts'

/** The sums and the newest proof are read at most once in this time, for all visitors. */
const PROVEN_MS = 10_000

/** Returns a function that reads the sums of all campaigns and the newest proof. */
export const createReadProven = () => {
  let readAtMs = 0
  let reading: ReturnType<typeof readProven> | undefined
  return (ctx: Context): ReturnType<typeof readProven> => {
    const nowMs = ctx.clock.now().getTime()
    if (reading && Math.abs(nowMs - readAtMs) < PROVEN_MS) return reading
    readAtMs = nowMs
    const fresh = readProven(ctx)
    reading = fresh
    fresh.catch(() => {
      if (reading === fresh) reading = undefined
    })
    return fresh
  }
}

export type Proven = Awaited<ReturnType<typeof readProven>>

const readProven = async (ctx: Context) => {
  const [totals, newest] = await Promise.all([readProvenTotals(ctx), findNewestProof(ctx)])
  return { totals, newest }
}

const OPEN = ['active', 'funded'] as const
const ENDED = ['completed', 'failed', 'cancelled'] as const

/** The lists of campaigns, with the statuses of each. */
export const LISTS = { open: OPEN, ended: ENDED, all: [...OPEN, ...ENDED] }
export type ListName = keyof typeof LISTS

/** A campaign with what its card says about its money. */
export type ListedCampaign = ListedCampaignView & MoneyFacts

const CAMPAIGNS = 20

/**
 * Reads a page of one of the lists; undefined if the chosen status is not of this list.
 *
 * @throws DomainError `invalid_input` if the search has too many words
 */
export const readList = async (
  ctx: Context,
  name: ListName,
  { status, ...search }: { q: string; category: string; status: string; cursor: string },
) => {
  const wanted: readonly CampaignStatus[] = LISTS[name]
  const statuses = wanted.filter((one) => status === '' || one === status)
  if (statuses.length === 0) return undefined
  const given = Object.entries(search).filter(([, value]) => value !== '')
  const { data: asked } = ListCampaigns.safeParse({
    ...Object.fromEntries(given),
    limit: CAMPAIGNS,
    status: statuses,
  })
  if (!asked) throw new DomainError('invalid_input', 'Search for fewer words.')
  const { items, nextCursor } = await listCampaigns(ctx, asked)
  const facts = await readMoneyFacts(ctx, items)
  const campaigns = items.flatMap((item): ListedCampaign[] => {
    const own = facts.get(item.id)
    return own ? [{ ...item, ...own }] : []
  })
  return { campaigns, nextCursor }
}

/** The final block that all sums contain, if they are all of one chain; null before its first. */
export const readBlock = async (ctx: Context): Promise<number | null> => {
  const { chains } = ctx.settings
  const [progress] = chains.length === 1 ? await readProgress(ctx, chains) : []
  return progress?.booked || null
}
