import type { PageDeps } from '../deps.ts'
import { accountOwnPages } from './own/account-pages.tsx'
import { listPages } from './own/list-pages.tsx'
import { walletPages } from './own/wallet-pages.ts'
import { createPageSessions } from './page-session.ts'
import { claimPages } from './sign-in/claim-pages.tsx'
import { registerPages } from './sign-in/register-pages.tsx'
import { resetPages } from './sign-in/reset-pages.tsx'
import { signInPages } from './sign-in/sign-in-pages.tsx'

/** The pages of sign-in and of the account. */
export const accountPages = (deps: PageDeps) => {
  const sessions = createPageSessions(deps)
  return [
    ...signInPages(deps, sessions),
    ...registerPages(deps, sessions),
    ...resetPages(deps, sessions),
    ...claimPages(deps),
    ...accountOwnPages(deps, sessions),
    ...walletPages(),
    ...listPages(),
  ]
}
