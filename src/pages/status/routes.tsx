import type { Context } from '../../db/context.ts'
import { readProgress } from '../../domain/blocks/index.ts'
import { LivePart } from '../components/live-part.tsx'
import { Banner, Chip } from '../components/states.tsx'
import { KeyValues, Time } from '../components/values.tsx'
import { type Live, type LiveSource, renderParts, stream } from '../live/index.ts'
import { type ChainStatus, chainStatus } from '../load/chain-health.ts'
import { get, show } from '../page.ts'
import { formatCount, formatDuration } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { layoutTexts } from '../texts/layout/index.ts'
import { statusTexts } from '../texts/status/index.ts'

/** The page that says whether donations are credited in time, and its stream. */
export const statusPages = (live: Live) => [
  get('/status', 'status', async ({ ctx, lang }) => {
    return show({
      title: layoutTexts[lang].status,
      description: statusTexts[lang].lead,
      scripts: ['live'],
      body: <StatusView chains={await readChains(ctx)} lang={lang} />,
    })
  }),
  stream(live, '/status/live', 'status-live', async () => ({ key: 'status', source })),
]

const source: LiveSource = {
  version: async (ctx) => JSON.stringify(await readChains(ctx)),
  parts: async (ctx, lang) =>
    renderParts({ chains: <ChainsPart chains={await readChains(ctx)} lang={lang} /> }),
}

const readChains = async (ctx: Context): Promise<ChainStatus[]> => {
  const { chains } = ctx.settings
  const progress = await readProgress(ctx, chains)
  return chains.flatMap((chain, index) => {
    const one = progress[index]
    return one ? [chainStatus(chain, one, ctx.clock.now())] : []
  })
}

type Props = { chains: readonly ChainStatus[]; lang: Language }

/** Whether donations are credited in time, and what the service knows of each chain. */
export const StatusView = ({ chains, lang }: Props) => {
  const t = statusTexts[lang]
  return (
    <div class="status">
      <h1>{layoutTexts[lang].status}</h1>
      <p class="lead">{t.lead}</p>
      <LivePart src={`/status/live?lang=${lang}`} name="chains">
        <ChainsPart chains={chains} lang={lang} />
      </LivePart>
    </div>
  )
}

/** The part of the page that is live. */
const ChainsPart = ({ chains, lang }: Props) => {
  const t = statusTexts[lang]
  const isFine = chains.every(({ health }) => health === 'fine')
  const judgement = isFine ? t.fine : t.late
  return (
    <>
      <Banner tone={isFine ? 'info' : 'warn'} title={judgement.title}>
        {judgement.text}
      </Banner>
      {chains.map((chain) => (
        <Chain key={chain.id} chain={chain} lang={lang} />
      ))}
    </>
  )
}

const Chain = ({ chain, lang }: { chain: ChainStatus; lang: Language }) => {
  const t = statusTexts[lang]
  const { id, health, cursor, finalized, finalizedMovedAt, typicalFinalityMs } = chain
  const isRead = health !== 'unread'
  return (
    <section class="page-section" aria-labelledby={`chain-${id}`}>
      <h2 id={`chain-${id}`}>{chain.name}</h2>
      <p>
        <Chip tone={health === 'fine' ? 'quiet' : health === 'halted' ? 'bad' : 'warn'}>
          {t.health[health]}
        </Chip>{' '}
        {chain.testnet && <span class="note">{t.testnet}</span>}
      </p>
      {health !== 'fine' && <p>{t.why[health]}</p>}
      <KeyValues
        items={[
          isRead && { key: t.read, value: formatCount(lang, cursor) },
          isRead && { key: t.final, value: formatCount(lang, finalized) },
          isRead && { key: t.waiting, value: formatCount(lang, Math.max(0, cursor - finalized)) },
          finalizedMovedAt && { key: t.moved, value: <Time at={finalizedMovedAt} lang={lang} /> },
          typicalFinalityMs !== null && {
            key: t.usual,
            value: t.about(formatDuration(lang, typicalFinalityMs)),
          },
        ]}
      />
    </section>
  )
}
