import type { Context } from '../../db/context.ts'
import { readProgress } from '../../domain/blocks/index.ts'
import {
  type CampaignView,
  getCampaign,
  IdOrSlug,
  type MilestoneView,
} from '../../domain/campaigns/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { PublicChain } from '../../kernel/settings.ts'
import { get, type Page, type PageAnswer, send, type Visit } from '../page.ts'
import type { ChainTrouble } from '../parts/campaign-parts.tsx'
import { chainStatus } from './chain-health.ts'

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

/** The public data of a campaign's chain. */
export const chainOf = (
  ctx: Context,
  { chainId }: Pick<CampaignView, 'chainId'>,
): PublicChain | undefined => ctx.settings.chains.find(({ id }) => id === chainId)

/** Whether a campaign is running, so that money which reaches its account can count. */
export const isOpen = ({ status }: Pick<CampaignView, 'status'>): boolean =>
  status === 'active' || status === 'funded'

type Payable = Pick<CampaignView, 'status'> & {
  milestones: readonly Pick<MilestoneView, 'status'>[]
  escrow?: { deadline: Date } | null
}

/** Whether pages offer to pay: an escrow takes payments only while it records their donors. */
export const takesPayments = (campaign: Payable, now: Date): boolean => {
  const { escrow, milestones } = campaign
  const isReleasing = milestones.some(({ status }) => status === 'released')
  return isOpen(campaign) && (!escrow || (now <= escrow.deadline && !isReleasing))
}

type Run = (visit: Visit<{ slug: string }>, campaign: CampaignView) => Promise<PageAnswer>

/**
 * Defines a page below `/c/:slug`, which gets its campaign. A campaign has one address, so other
 * names of it, such as its id, lead there for good.
 */
export const getOfCampaign = (
  path: '/c/:slug' | `/c/:slug/${'donations' | 'escrow' | 'ledger' | 'updates'}`,
  name: string,
  run: Run,
): Page =>
  get(path, name, async (visit) => {
    const campaign = await findCampaign(visit.ctx, visit.params.slug)
    if (campaign.slug === visit.params.slug) return run(visit, campaign)
    const to = visit.path.replace(/^\/c\/[^/?]+/, `/c/${campaign.slug}`)
    return send({ status: 301, text: null, headers: { Location: to } })
  })
