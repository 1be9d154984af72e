import { confirmCaller, linkWallet } from '../../../domain/account/index.ts'
import {
  challengeWallet,
  checkSigned,
  SignedChallenge,
  unlinkWallet,
} from '../../../domain/people/index.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import type { PageDeps } from '../../deps.ts'
import { post, seeOther } from '../../page.ts'
import { fieldOf, forVerified, idOf } from '../../session/page-session.ts'
import { challengeAnswer, walletOf } from '../challenge.ts'
import { refuse } from './account-pages.tsx'

const HOME = '/account'

/** The forms that link wallets to the account of the signed-in person, and unlink them. */
export const walletPages = ({ credentials }: PageDeps) => [
  post(
    '/account/wallets/challenge',
    'account-wallet-challenge',
    forVerified(
      async ({ ctx, form }) => challengeAnswer(await challengeWallet(ctx, walletOf(ctx, form))),
      HOME,
    ),
  ),
  post(
    '/account/wallets',
    'account-wallet-link',
    forVerified(async (visit) => {
      try {
        const { ctx, caller } = visit
        const signed = { nonce: fieldOf(visit, 'nonce'), signature: fieldOf(visit, 'signature') }
        const checked = await checkSigned(ctx, parseBody(SignedChallenge, signed), caller.userId)
        const confirmed = await confirmCaller(ctx, credentials, undefined, { orRecent: true })
        await linkWallet(ctx, confirmed, checked)
        return seeOther(`${HOME}?note=linked#wallets`)
      } catch (error) {
        return refuse(visit, error)
      }
    }, HOME),
  ),
  post(
    '/account/wallets/:id/unlink',
    'account-wallet-unlink',
    forVerified<{ id: string }>(async (visit) => {
      try {
        await unlinkWallet(visit.ctx, idOf(visit))
        return seeOther(`${HOME}?note=saved#wallets`)
      } catch (error) {
        return refuse(visit, error)
      }
    }, HOME),
  ),
]
