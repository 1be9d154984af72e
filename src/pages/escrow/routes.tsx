import { readFigures } from '../../domain/campaigns/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import { getOfCampaign } from '../load/campaign.ts'
import { walletChain } from '../load/payable.ts'
import { show } from '../page.ts'
import { escrowTexts } from '../texts/escrow/index.ts'
import { EscrowView } from './escrow-view.tsx'
import { isOver, readReadyNow, searchRefunds } from './load-escrow.ts'

/** The page of a campaign's escrow. */
export const escrowPages = () => [
  getOfCampaign('/c/:slug/escrow', 'campaign-escrow', async ({ ctx, lang, query }, found) => {
    if (!found.escrow) throw new DomainError('not_found', 'This campaign has no escrow.')
    const ready = await readReadyNow(ctx, found)
    const figures = await readFigures(ctx, found.id)
    const { campaign, booked } = figures
    const { deployed } = ready.escrow
    const collectable = figures.escrow?.collectable ?? '0'
    const escrow = { ...ready.escrow, ...figures.escrow, deployed, collectable }
    const account = query.get('account')?.trim()
    const search = account && isOver(escrow) ? await searchRefunds(ctx, campaign, account) : null
    const { releases } = ready
    const chain = walletChain(ctx, campaign)
    const now = ctx.clock.now()
    return show({
      title: `${escrowTexts[lang].title} · ${campaign.title}`,
      scripts: ['send', ...(campaign.status === 'draft' ? [] : ['live'])],
      isHidden: campaign.status === 'draft' || search !== null,
      ...(search?.found === null ? { status: 400 } : {}),
      body: <EscrowView {...{ campaign, escrow, booked, releases, search, chain, now, lang }} />,
    })
  }),
]
