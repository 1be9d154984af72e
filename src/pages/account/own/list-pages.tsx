import type { Context } from '../../../db/context.ts'
import { campaignTitles } from '../../../domain/campaigns/index.ts'
import {
  checkDepositClaim,
  claimDeposit,
  type DepositView,
  getDonation,
  ListOwnDeposits,
  listOwnDeposits,
} from '../../../domain/donations/index.ts'
import {
  ListNotifications,
  listNotifications,
  listWallets,
  type NotificationView,
  ReadNotifications,
  readNotifications,
} from '../../../domain/people/index.ts'
import { parseBody } from '../../../edge/request/validate.ts'
import { Button } from '../../components/form.tsx'
import { Empty, Pager } from '../../components/lists.tsx'
import { Chip } from '../../components/states.tsx'
import { Time } from '../../components/values.tsx'
import { seeOther, show } from '../../page.ts'
import {
  getAsUser,
  idOf,
  NO_STORE,
  postAsVerified,
  type UserVisit,
} from '../../session/page-session.ts'
import { accountTexts } from '../../texts/account/index.ts'
import { EMPTY_FORM, type RefusedForm, refusedForm } from '../refusals.ts'
import { Area, type ListProps } from './area.tsx'
import { CLAIMED, DepositsView } from './deposits-view.tsx'

/** The lists of the signed-in person: payments without a donation, and notifications. */
export const listPages = () => [
  getAsUser('/account/deposits', 'account-deposits', showDeposits),
  getAsUser(CLAIMED, 'account-deposits-claimed', (visit) =>
    showDeposits(visit, { isClaimed: true }),
  ),
  postAsVerified(
    '/account/deposits/:id/claim',
    'account-deposit-claim',
    '/account/deposits',
    async (visit) => {
      const id = idOf(visit)
      try {
        // The list has only payments of linked wallets, which need no signature.
        const checked = await checkDepositClaim(visit.ctx, id, {})
        const { donation } = await claimDeposit(visit.ctx, id, checked)
        return seeOther(`/d/${donation.id}`)
      } catch (error) {
        return showDeposits(visit, refusedForm(error, visit.lang))
      }
    },
  ),
  getAsUser('/notifications', 'notifications', showNotifications),
  postAsVerified(
    '/notifications/read',
    'notifications-read',
    '/notifications',
    async ({ ctx, form }) => {
      await readNotifications(ctx, parseBody(ReadNotifications, { until: form.get('until') ?? '' }))
      return seeOther('/notifications')
    },
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
    title: own ? view.t.deposits.claimed.title : view.t.menu.deposits,
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
    title: view.t.menu.notifications,
    body: <NotificationsView {...view} list={list} />,
  })
}

/** The notifications of the signed-in person, each in the language that the account then had. */
export const NotificationsView = (props: ListProps<NotificationView>) => {
  const { t, list, query } = props
  const isUnread = list.items.some(({ status }) => status === 'unread')
  return (
    <Area t={t} title={t.menu.notifications} current="notifications">
      {list.items.length === 0 && <Empty text={t.notifications.empty} />}
      {isUnread && (
        <form method="post" action="/notifications/read">
          <input type="hidden" name="until" value={list.items[0]?.createdAt.toISOString()} />
          <Button kind="plain">{t.notifications.markAll}</Button>
        </form>
      )}
      <ul class="notices">
        {list.items.map((notice) => (
          <Notice key={notice.id} notice={notice} {...props} />
        ))}
      </ul>
      <Pager path="/notifications" query={query} nextCursor={list.nextCursor} texts={t.list} />
    </Area>
  )
}

type NoticeProps = ListProps<NotificationView> & { notice: NotificationView }

const Notice = ({ t, lang, now, notice }: NoticeProps) => {
  const { donationId, campaignId } = notice.data
  return (
    <li>
      <h2>{notice.title}</h2>
      <p class="note">
        {notice.status === 'unread' && <Chip tone="info">{t.notifications.unread}</Chip>}{' '}
        <Time at={notice.createdAt} lang={lang} now={now} />
      </p>
      <p>{notice.message}</p>
      {donationId ? (
        <a href={`/d/${donationId}`}>{t.notifications.donation}</a>
      ) : (
        campaignId && <a href={`/c/${campaignId}`}>{t.notifications.campaign}</a>
      )}
    </li>
  )
}
