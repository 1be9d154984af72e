import { type Live, renderParts, stream } from '../live/index.ts'
import { get, show } from '../page.ts'
import { Preview } from '../parts/preview.tsx'
import { homeTexts } from '../texts/home/index.ts'
import { HomeView, provenParts } from './home-view.tsx'
import { createReadProven, LISTS, type ListName, readBlock, readList } from './load-home.ts'
import type { Search } from './search-form.tsx'
import { totalPage } from './total-page.tsx'

/** The first page, with the lists of campaigns, and the page that explains its total. */
export const homePages = (live: Live) => {
  const readProven = createReadProven()
  return [
    get('/', 'home', async ({ ctx, lang, query }) => {
      const of = (name: string) => query.get(name)?.trim() ?? ''
      const known: readonly string[] = LISTS.all
      const status = known.includes(of('status')) ? of('status') : ''
      const search: Search = { q: of('q'), category: of('category'), status }
      // A cursor continues one list, so the page then shows only this one.
      const cursor = of('cursor')
      const only = of('list') === 'ended' ? 'ended' : of('list') || cursor ? 'open' : undefined
      const read = async (name: ListName) =>
        only && only !== name ? undefined : readList(ctx, name, { ...search, cursor })
      const [open, ended, proven, block] = await Promise.all([
        read('open'),
        read('ended'),
        readProven(ctx),
        readBlock(ctx),
      ])
      return show({
        title: homeTexts[lang].title,
        canonical: '/',
        scripts: ['live'],
        head: (
          <Preview
            {...{ title: homeTexts[lang].title, description: homeTexts[lang].what, lang }}
            path="/"
            picture="/og.png"
            publicUrl={ctx.settings.publicUrl}
          />
        ),
        body: (
          <HomeView
            {...{ open, ended, search, proven, block, lang }}
            kept={new URLSearchParams(Object.entries({ ...search, cursor }).filter(([, v]) => v))}
            isFront={only === undefined && Object.values(search).every((value) => value === '')}
            now={ctx.clock.now()}
          />
        ),
      })
    }),
    stream(live, '/home/live', 'home-live', async () => ({
      key: 'home',
      source: {
        // A new minute changes how long ago the newest donation was.
        version: async (ctx) =>
          JSON.stringify([await readProven(ctx), Math.floor(ctx.clock.now().getTime() / 60_000)]),
        parts: async (ctx, lang) =>
          renderParts(provenParts(await readProven(ctx), ctx.clock.now(), lang)),
      },
    })),
    totalPage(),
  ]
}
