import type { Context } from '../../db/context.ts'
import { readProgress } from '../../domain/blocks/index.ts'
import { type Live, type LiveSource, renderParts, stream } from '../live/index.ts'
import { type ChainStatus, chainStatus } from '../load/chain-health.ts'
import { get, show } from '../page.ts'
import { layoutTexts } from '../texts/layout/index.ts'
import { statusTexts } from '../texts/status/index.ts'
import { ChainsPart, StatusView } from './status-view.tsx'

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
