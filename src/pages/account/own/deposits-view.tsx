import type { CampaignTitle } from '../../../domain/campaigns/index.ts'
import type { DepositView } from '../../../domain/donations/index.ts'
import { ErrorSummary } from '../../components/form.tsx'
import { Empty, Pager, Table } from '../../components/lists.tsx'
import { Hash, Money, Time } from '../../components/values.tsx'
import { formatMoney } from '../../shared/format.ts'
import type { FormState } from '../refusals.ts'
import { Area, CampaignLink, type ListProps } from './area.tsx'

type Props = ListProps<DepositView> & {
  titles: ReadonlyMap<string, CampaignTitle>
  hasWallet: boolean
  form: FormState
  /** The person's donations in the list; undefined if the list has payments without a donation. */
  own?: ReadonlySet<string> | undefined
}

/** The path of the list of payments that belong to donations. */
export const CLAIMED = '/account/deposits/claimed'
const OPEN = '/account/deposits'

/** Payments from the person's wallets: those without a donation, or those with one. */
export const DepositsView = (props: Props) => {
  const { t, lang, now, list, titles, query, form, own } = props
  const words = own ? t.deposits.claimed : t.deposits
  const title = own ? t.deposits.claimed.title : t.menu.deposits
  const [path, other] = own ? [CLAIMED, OPEN] : [OPEN, CLAIMED]
  return (
    <Area t={t} title={title} current="deposits">
      <ErrorSummary title={t.refusedTitle} errors={form.errors} />
      {list.items.length === 0 ? (
        <NoDeposit {...props} />
      ) : (
        <>
          <p class="lead">{words.lead}</p>
          <Table
            caption={own ? title : t.deposits.caption}
            columns={t.deposits.columns}
            rows={list.items.map((deposit) => ({
              key: deposit.id,
              quiet: deposit.beforeCampaign,
              cells: [
                <>
                  <CampaignLink id={deposit.campaignId} titles={titles} />
                  <span class="hint">
                    {t.deposits.from} <Hash value={deposit.sender} />
                  </span>
                </>,
                <Time key="when" at={deposit.minedAt} lang={lang} now={now} />,
                <Money key="amount" {...deposit.amount} lang={lang} />,
                <Action key="action" {...{ t, lang, own, deposit }} />,
              ],
            }))}
          />
        </>
      )}
      <Pager path={path} query={query} nextCursor={list.nextCursor} texts={t.list} />
      <p>
        <a href={other}>{own ? t.menu.deposits : t.deposits.claimed.title}</a>
      </p>
    </Area>
  )
}

const NoDeposit = ({ t, hasWallet, own }: Pick<Props, 't' | 'hasWallet' | 'own'>) =>
  hasWallet ? (
    <Empty text={own ? t.deposits.claimed.empty : t.deposits.empty} />
  ) : (
    <Empty
      text={t.deposits.noWallet}
      action={{ href: '/account#wallets', label: t.wallets.link }}
    />
  )

type ActionProps = Pick<Props, 't' | 'lang' | 'own'> & { deposit: DepositView }

/** The donation of a payment, and the button that makes the payment the person's own donation. */
const Action = ({ t, lang, own, deposit }: ActionProps) => {
  const { id, amount, claimedBy, beforeCampaign } = deposit
  if (beforeCampaign) return t.deposits.tooEarly
  return (
    <>
      {claimedBy !== null && <a href={`/d/${claimedBy}`}>{t.notifications.donation}</a>}
      {!own?.has(claimedBy ?? '') && (
        <form method="post" action={`/account/deposits/${id}/claim`}>
          <button
            type="submit"
            class="text-button"
            aria-label={t.deposits.claimOf(formatMoney(lang, amount))}
          >
            {t.deposits.claim}
          </button>
        </form>
      )}
    </>
  )
}
