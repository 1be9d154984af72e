import type { CampaignView } from '../../domain/campaign/index.ts'
import type { Context } from '../../domain/context.ts'
import { type EscrowView as Escrow, getEscrow } from '../../domain/escrow/index.ts'
import { getRefunds } from '../../domain/escrow/refund/index.ts'
import { getRelease } from '../../domain/escrow/release/index.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import { withCampaign } from '../campaign/with-campaign.ts'
import { walletChain } from '../donate/payable.ts'
import { get, show } from '../page.ts'
import type { Language } from '../shared/languages.ts'
import { EscrowView, type Release } from './escrow-view.tsx'
import { escrowTexts } from './texts/index.ts'

/** The page of a campaign's escrow. */
export const escrowPages = () => [
  get(
    '/c/:slug/escrow',
    'campaign escrow',
    withCampaign(async ({ ctx, lang }, campaign) => {
      const chain = walletChain(ctx, campaign)
      // Without an escrow, this page does not exist.
      if (!campaign.escrow) throw new DomainError('not_found', 'This campaign has no escrow.')
      const escrow = await readEscrow(ctx, campaign)
      const givesBack = escrow.state === 'failed'
      const [releases, refunds] = await Promise.all([
        givesBack ? [] : findReleases(ctx, campaign, lang),
        givesBack ? getRefunds(ctx, campaign.id) : null,
      ])
      return show({
        title: `${escrowTexts[lang].title} · ${campaign.title}`,
        scripts: ['send', 'page'],
        head: campaign.status === 'draft' && <meta name="robots" content="noindex" />,
        body: <EscrowView {...{ campaign, escrow, releases, refunds, chain, lang }} />,
      })
    }),
  ),
]

/** Reads the escrow. Only the creator is shown how to cancel. */
const readEscrow = async (ctx: Context, { id, creatorId }: CampaignView): Promise<Escrow> => {
  const escrow = await getEscrow(ctx, id)
  if (mayActFor(ctx.actor, creatorId)) return escrow
  const transactions = escrow.transactions.filter(({ action }) => action !== 'cancel')
  return { ...escrow, transactions }
}

/** Makes the releases of all verified milestones, except those that the contract would refuse. */
const findReleases = async (
  ctx: Context,
  { milestones }: CampaignView,
  lang: Language,
): Promise<Release[]> => {
  const found = await Promise.all(
    milestones.map(async ({ id, title, status }, index): Promise<Release[]> => {
      if (status !== 'verified') return []
      const transaction = await getRelease(ctx, id).catch((error: unknown) => {
        if (error instanceof DomainError) return null
        throw error
      })
      const name = title ?? escrowTexts[lang].milestoneNumber(index + 1)
      return transaction ? [{ milestoneId: id, title: name, transaction }] : []
    }),
  )
  return found.flat()
}
