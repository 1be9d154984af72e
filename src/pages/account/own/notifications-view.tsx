import type { NotificationView } from '../../../domain/notification/index.ts'
import { Button } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Empty } from '../../components/empty.tsx'
import { Pager } from '../../components/pager.tsx'
import { Time } from '../../components/time.tsx'
import { Area } from './area.tsx'
import type { ListProps } from './list-parts.tsx'

/** The notifications of the signed-in person, each in the language that the account then had. */
export const NotificationsView = (props: ListProps<NotificationView>) => {
  const { t, list, query } = props
  const isUnread = list.items.some(({ status }) => status === 'unread')
  return (
    <Area t={t} title={t.notifications.title} current="notifications">
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
