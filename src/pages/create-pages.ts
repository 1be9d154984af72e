import type { Pages } from '../edge/page-route.ts'
import { accountPages } from './account/routes.ts'
import { bundleAssets } from './assets.ts'
import { campaignPages, campaignStream } from './campaign/routes.tsx'
import { checkPages } from './check/routes.tsx'
import { donatePages } from './donate/routes.tsx'
import { donationPages } from './donation/routes.tsx'
import { embedPages } from './embed/routes.tsx'
import { escrowPages } from './escrow/routes.tsx'
import { homePages } from './home/routes.tsx'
import type { PageDeps } from './page.ts'
import { createPageRunner } from './run-page.tsx'
import { sharePages } from './share/routes.tsx'
import { statusPages } from './status/routes.tsx'

/** Creates the pages for people. Bundles their scripts and styles, which takes about 0.3 s. */
export const createPages = async (deps: PageDeps): Promise<Pages> => {
  const assets = await bundleAssets()
  const { routeOf, refuse } = createPageRunner(deps, assets)
  const pages = [
    ...homePages(deps.live),
    ...campaignPages(),
    campaignStream(deps.live),
    ...checkPages(),
    ...escrowPages(),
    ...donatePages(),
    ...donationPages(deps.live),
    ...embedPages(),
    ...sharePages(),
    ...accountPages(deps),
    ...statusPages(deps.live),
  ]
  return { routes: [...pages.map(routeOf), ...assets.routes], refuse }
}
