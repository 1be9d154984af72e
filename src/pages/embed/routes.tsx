import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { keepText } from '../../http/answer/kept-text.ts'
import { DomainError } from '../../kernel/errors.ts'
import { findCampaign } from '../campaign/load-campaign.ts'
import { get, send, show } from '../page.ts'
import { EmbedCard } from './embed-card.tsx'

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
