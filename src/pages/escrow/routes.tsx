import { DomainError } from '../../kernel/errors.ts'
import { getOfCampaign } from '../load/campaign.ts'
import { walletChain } from '../load/payable.ts'
import { show } from '../page.ts'
import { escrowTexts } from '../texts/escrow/index.ts'
import { EscrowView } from './escrow-view.tsx'
import { isOver, readReadyNow, searchRefunds } from './load-escrow.ts'

/** The page of a campaign's escrow. */
export const escrowPages = () => [
  getOfCampaign('/c/:slug/escrow', 'campaign-escrow', async ({ ctx, lang, query }, campaign) => {
    if (!campaign.escrow) throw new DomainError('not_found', 'This campaign has no escrow.')
    const ready = await readReadyNow(ctx, campaign)
    const account = query.get('account')?.trim()
    const search =
      account && isOver(ready.escrow) ? await searchRefunds(ctx, campaign, account) : null
    const chain = walletChain(ctx, campaign)
    return show({
      title: `${escrowTexts[lang].title} · ${campaign.title}`,
      scripts: ['send'],
      isHidden: campaign.status === 'draft' || search !== null,
      ...(search?.found === null ? { status: 400 } : {}),
      body: <EscrowView {...ready} {...{ campaign, search, chain, lang }} />,
    })
  }),
]
