import type { CampaignTitle } from '../../../domain/campaign/index.ts'
import type { DepositView } from '../../../domain/deposit/index.ts'
import { Empty } from '../../components/empty.tsx'
import { ErrorSummary } from '../../components/error-summary.tsx'
import { Hash } from '../../components/hash.tsx'
import { Money } from '../../components/money.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { formatAmount } from '../../shared/format.ts'
import type { FormState } from '../refusals.ts'
import { Area } from './area.tsx'
import { CampaignLink, ListPager, type ListProps } from './list-parts.tsx'

type Props = ListProps<DepositView> & {
  titles: ReadonlyMap<string, CampaignTitle>
  hasWallet: boolean
  form: FormState
}

/** Payments from the person's wallets that belong to no donation yet. */
export const DepositsView = ({ t, lang, now, list, titles, isFirst, hasWallet, form }: Props) => (
  <Area t={t} title={t.deposits.title} current="deposits">
    <ErrorSummary title={t.refusedTitle} errors={form.errors} />
    {list.items.length === 0 ? (
      <Empty
        text={hasWallet ? t.deposits.empty : t.deposits.noWallet}
        action={hasWallet ? undefined : { href: '/account#wallets', label: t.wallets.link }}
      />
    ) : (
      <>
        <p class="lead">{t.deposits.lead}</p>
        <Table
          caption={t.deposits.caption}
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
              deposit.beforeCampaign ? t.deposits.tooEarly : <Claim {...{ t, lang, deposit }} />,
            ],
          }))}
        />
        <ListPager t={t} path="/account/deposits" isFirst={isFirst} next={list.nextCursor} />
      </>
    )}
  </Area>
)

const Claim = ({ t, lang, deposit }: Pick<Props, 't' | 'lang'> & { deposit: DepositView }) => {
  const { value, currency } = deposit.amount
  return (
    <form method="post" action={`/account/deposits/${deposit.id}/claim`}>
      <button
        type="submit"
        class="text-button"
        aria-label={t.deposits.claimOf(`${formatAmount(lang, value)} ${currency}`)}
      >
        {t.deposits.claim}
      </button>
    </form>
  )
}
