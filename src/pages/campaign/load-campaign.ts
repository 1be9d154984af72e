import type { Context } from '../../db/context.ts'
import { readProgress } from '../../domain/blocks/index.ts'
import {
  type CampaignView,
  getCampaign,
  getEscrowFacts,
  getUpdate,
  IdOrSlug,
  listUpdates,
} from '../../domain/campaigns/index.ts'
import { readDonations, readWaiting } from '../../domain/donations/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/formats/ids.ts'
import type { PublicChain } from '../../kernel/settings.ts'
import { payableAssets } from '../donate/payable.ts'
import { chainStatus } from '../status/chain-health.ts'
import type { ChainTrouble } from './campaign-notices.tsx'
import type { LiveCampaign } from './campaign-view.tsx'

const NEWEST_DONATIONS = 10
/** The most characters of an update beside others. */
const MAX_CONTENT = 2_000

/**
 * Reads the campaign of an address.
 *
 * @throws DomainError `not_found` if the visitor can see no such campaign
 */
export const findCampaign = (ctx: Context, idOrSlug: string): Promise<CampaignView> => {
  const { data } = IdOrSlug.safeParse(idOrSlug)
  if (data === undefined) throw new DomainError('not_found', 'There is no such campaign.')
  return getCampaign(ctx, data)
}

/** Reads everything that changes while the page of a campaign is open. */
export const loadLive = async (ctx: Context, campaign: CampaignView): Promise<LiveCampaign> => {
  const [waiting, escrow, trouble, { items: donations }] = await Promise.all([
    readWaiting(ctx, campaign),
    campaign.escrow ? getEscrowFacts(ctx, campaign.id) : null,
    payableAssets(ctx, campaign).length === 0
      ? ({ kind: 'closed' } as const)
      : readTrouble(ctx, campaign.chainId),
    readDonations(ctx, campaign.id, { limit: NEWEST_DONATIONS }),
  ])
  return { campaign, waiting, escrow, trouble, donations, now: ctx.clock.now() }
}

/** Whether the chain credits nothing now, and why. */
export const readTrouble = async (ctx: Context, chainId: number): Promise<ChainTrouble> => {
  const chain = chainOf(ctx, { chainId })
  if (!chain) return null
  const [progress] = await readProgress(ctx, [chain])
  if (!progress) return null
  const { health, finalizedMovedAt: since } = chainStatus(chain, progress, ctx.clock.now())
  if (health === 'halted') return { kind: 'halted' }
  return since && (health === 'notFinal' || health === 'stalled')
    ? { kind: 'stalled', since }
    : null
}

/** Reads updates of a campaign, newest first and shortened; or, with `id`, this one as a whole. */
export const loadUpdates = async (
  ctx: Context,
  campaignId: string,
  position: { limit: number; cursor?: string | undefined },
  id = '',
) => {
  const one = isId(id) ? await getUpdate(ctx, id) : undefined
  if (one?.campaignId === campaignId) return { updates: [one], nextCursor: null }
  const query = { campaignId, page: 1, ...position }
  const { items, nextCursor } = await listUpdates(ctx, query, MAX_CONTENT)
  return { updates: items, nextCursor }
}

/** The public data of a campaign's chain. */
export const chainOf = (
  ctx: Context,
  { chainId }: Pick<CampaignView, 'chainId'>,
): PublicChain | undefined => ctx.settings.chains.find(({ id }) => id === chainId)
