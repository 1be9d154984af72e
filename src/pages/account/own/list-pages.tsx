import { campaignTitles } from '../../../domain/campaign/index.ts'
import type { Context } from '../../../domain/context.ts'
import {
  checkDepositClaim,
  claimDeposit,
  type DepositView,
  ListOwnDeposits,
  listOwnDeposits,
} from '../../../domain/deposit/index.ts'
import { getDonation, ListDonations, listDonations } from '../../../domain/donation/index.ts'
import {
  ListNotifications,
  listNotifications,
  ReadNotifications,
  readNotifications,
} from '../../../domain/notification/index.ts'
import { listWallets } from '../../../domain/wallet/index.ts'
import { parseBody } from '../../../http/request/validate.ts'
import { get, post, seeOther, show } from '../../page.ts'
import { forUser, forVerified, idOf, NO_STORE, type UserVisit } from '../page-session.ts'
import { EMPTY_FORM, type RefusedForm, refusedForm } from '../refusals.ts'
import { accountTexts } from '../texts/index.ts'
import { CLAIMED, DepositsView } from './deposits-view.tsx'
import { DonationsView } from './donations-view.tsx'
import { NotificationsView } from './notifications-view.tsx'

/** The lists of the signed-in person: donations, payments without a donation, notifications. */
export const listPages = () => [
  get('/account/donations', 'account-donations', forUser(showDonations)),
  get('/account/deposits', 'account-deposits', forUser(showDeposits)),
  get(
    CLAIMED,
    'account-deposits-claimed',
    forUser((visit) => showDeposits(visit, { isClaimed: true })),
  ),
  post(
    '/account/deposits/:id/claim',
    'account-deposit-claim',
    forVerified<{ id: string }>(async (visit) => {
      const id = idOf(visit)
      try {
        // The list has only payments of linked wallets, which need no signature.
        const checked = await checkDepositClaim(visit.ctx, id, {})
        const { donation } = await claimDeposit(visit.ctx, id, checked)
        return seeOther(`/d/${donation.id}`)
      } catch (error) {
        return showDeposits(visit, refusedForm(error, visit.lang))
      }
    }, '/account/deposits'),
  ),
  get('/notifications', 'notifications', forUser(showNotifications)),
  post(
    '/notifications/read',
    'notifications-read',
    forVerified(async ({ ctx, form }) => {
      await readNotifications(ctx, parseBody(ReadNotifications, { until: form.get('until') ?? '' }))
      return seeOther('/notifications')
    }, '/notifications'),
  ),
]

/** What the views of all lists need. */
const viewOf = (visit: UserVisit) => ({
  t: accountTexts[visit.lang],
  lang: visit.lang,
  now: visit.ctx.clock.now(),
  query: new URLSearchParams(placeOf(visit)),
})

/** The place in a list to which a link of the page leads. Other parameters are ignored. */
const placeOf = ({ query }: UserVisit): { cursor?: string } => {
  const cursor = query.get('cursor')
  return cursor === null ? {} : { cursor }
}

const titlesOf = (ctx: Context, items: readonly { campaignId: string }[]) =>
  campaignTitles(
    ctx,
    items.map(({ campaignId }) => campaignId),
  )

async function showDonations(visit: UserVisit) {
  const { ctx, caller } = visit
  const query = parseBody(ListDonations, { ...placeOf(visit), userId: caller.userId })
  const list = await listDonations(ctx, query)
  const titles = await titlesOf(ctx, list.items)
  const view = viewOf(visit)
  return show({
    headers: NO_STORE,
    title: view.t.donations.title,
    body: <DonationsView {...view} list={list} titles={titles} />,
  })
}

type Deposits = Partial<RefusedForm> & { isClaimed?: boolean }

async function showDeposits(
  visit: UserVisit,
  { isClaimed = false, form = EMPTY_FORM, status = 200 }: Deposits = {},
) {
  const { ctx, caller } = visit
  const query = { ...placeOf(visit), ...(isClaimed ? { status: 'claimed' } : {}) }
  const [list, wallets] = await Promise.all([
    listOwnDeposits(ctx, parseBody(ListOwnDeposits, query)),
    listWallets(ctx),
  ])
  const titles = await titlesOf(ctx, list.items)
  const view = viewOf(visit)
  const props = { ...view, list, titles, form, hasWallet: wallets.length > 0 }
  const own = isClaimed ? await ownDonations(ctx, caller.userId, list.items) : undefined
  return show({
    headers: NO_STORE,
    title: own ? view.t.deposits.claimed.title : view.t.deposits.title,
    body: <DepositsView {...props} own={own} />,
    status,
  })
}

/** The donations of these payments that are the person's own. Others show no donor. */
const ownDonations = async (ctx: Context, userId: string, deposits: readonly DepositView[]) => {
  const ids = deposits.flatMap(({ claimedBy }) => claimedBy ?? [])
  const donations = await Promise.all(ids.map((id) => getDonation(ctx, id)))
  return new Set(donations.filter((one) => one.userId === userId).map(({ id }) => id))
}

async function showNotifications(visit: UserVisit) {
  const list = await listNotifications(visit.ctx, parseBody(ListNotifications, placeOf(visit)))
  const view = viewOf(visit)
  return show({
    headers: NO_STORE,
    title: view.t.notifications.title,
    body: <NotificationsView {...view} list={list} />,
  })
}
