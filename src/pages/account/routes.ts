import { get, type PageDeps, seeOther } from '../page.ts'
import { createPageSessions } from '../session/page-session.ts'
import { accountOwnPages, walletPages } from './own/account-pages.tsx'
import { donationPages } from './own/donations-page.tsx'
import { emailPages } from './own/email-pages.tsx'
import { listPages } from './own/list-pages.tsx'
import { claimPages } from './sign-in/claim-pages.tsx'
import { registerPages } from './sign-in/register-pages.tsx'
import { resetPages, signInPages } from './sign-in/sign-in-pages.tsx'

/** The pages of sign-in and of the account. */
export const accountPages = (deps: PageDeps) => {
  const sessions = createPageSessions(deps)
  return [
    ...signInPages(deps, sessions),
    ...registerPages(deps, sessions),
    ...resetPages(deps, sessions),
    ...claimPages(deps),
    ...accountOwnPages(deps, sessions),
    ...emailPages(deps),
    ...walletPages(deps),
    ...donationPages(),
    ...listPages(),
    ...FORM_PAGES.map(([path, to]) =>
      get(path, 'form', async ({ query }) => seeOther(query.size === 0 ? to : `${to}?${query}`)),
    ),
  ]
}

/**
 * Addresses of forms, each with the page that has the form. A browser asks for such an address if a
 * form was refused there, and the person then loads it again or chooses another language.
 */
const FORM_PAGES = [
  ['/sign-in/wallet', '/sign-in'],
  ['/verify/again', '/verify'],
  ['/reset/password', '/reset'],
  ['/account/password', '/account'],
  ['/account/wallets', '/account'],
  ['/account/wallets/:id/unlink', '/account'],
  ['/account/deposits/:id/claim', '/account/deposits'],
] as const
