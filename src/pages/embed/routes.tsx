import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import { keepText } from '../../edge/answer/kept-text.ts'
import { DomainError } from '../../kernel/errors.ts'
import { Progress } from '../components/progress.tsx'
import { Audit } from '../components/states.tsx'
import { findCampaign, isOpen } from '../load/campaign.ts'
import { get, send, show } from '../page.ts'
import { warningOf } from '../parts/warning.ts'
import { formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'

const SCRIPT = join(import.meta.dirname, '../client/embed-campaign.ts')
const PICTURE = join(import.meta.dirname, 'og.png')

/** Other sites may use these files. Their names have no hash, so browsers ask again soon. */
const FOR_OTHERS = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'public, max-age=3600',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** What other sites show of campaigns: a card with its script, and the picture for previews. */
export const embedPages = () => {
  const { code } = transformSync(readFileSync(SCRIPT, 'utf8'), { loader: 'ts', minify: true })
  const script = keepText('text/javascript; charset=utf-8', code, FOR_OTHERS)
  const picture = readFileSync(PICTURE)
  return [
    get('/embed/c/:slug', 'embed', async ({ ctx, lang, params }) => {
      const campaign = await findCampaign(ctx, params.slug)
      if (campaign.status === 'draft') throw new DomainError('not_found', 'This is a draft.')
      return show({
        title: campaign.title,
        canonical: `/c/${campaign.slug}`,
        scripts: ['embed-card'],
        bare: true,
        policy: { 'frame-ancestors': '*' },
        headers: { 'Cross-Origin-Resource-Policy': 'cross-origin', 'X-Frame-Options': '' },
        body: <EmbedCard campaign={campaign} lang={lang} />,
      })
    }),
    get('/embed.js', 'embed-script', async ({ header }) => send({ text: null, ...script(header) })),
    get('/og.png', 'preview-picture', async () =>
      send({
        status: 200,
        text: null,
        bytes: picture,
        headers: { ...FOR_OTHERS, 'Content-Type': 'image/png' },
      }),
    ),
  ]
}

type Props = { campaign: CampaignView; lang: Language }

/**
 * A campaign as a small card in the page of another site. Its links open a page of their own,
 * because a foreign page could cover a payment inside it.
 */
export const EmbedCard = ({ campaign, lang }: Props) => {
  const t = campaignTexts[lang]
  const { title, slug, status, currency, currentAmount, targetAmount } = campaign
  const money = (value: string) => formatMoney(lang, { value, currency })
  const raised = t.progress({ raised: money(currentAmount), target: money(targetAmount) })
  return (
    <main class="card embed">
      <h1>
        <a href={`/c/${slug}`} target="_blank" rel="noopener">
          {title}
        </a>
      </h1>
      <Progress proven={currentAmount} target={targetAmount} label={raised} />
      <p class="note">{raised}</p>
      {isOpen(campaign) ? (
        <>
          <Audit text={warningOf(campaign.escrow, lang)} />
          <a
            class="button button-primary"
            href={`/c/${slug}/donate`}
            target="_blank"
            rel="noopener"
          >
            {t.donate}
          </a>
        </>
      ) : (
        <p>{t.status[status]}</p>
      )}
    </main>
  )
}
