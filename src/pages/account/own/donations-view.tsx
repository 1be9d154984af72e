import type { CampaignTitle } from '../../../domain/campaign/index.ts'
import type { DonationView } from '../../../domain/donation/index.ts'
import { DonationChip } from '../../campaign/donation-chip.tsx'
import { Empty } from '../../components/empty.tsx'
import { Money } from '../../components/money.tsx'
import { Pager } from '../../components/pager.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { isGone } from '../../donation-status.ts'
import { Area } from './area.tsx'
import { CampaignLink, type ListProps } from './list-parts.tsx'

const PATH = '/account/donations'

type Props = ListProps<DonationView> & { titles: ReadonlyMap<string, CampaignTitle> }

/** The donations of the signed-in person, with their states. */
export const DonationsView = ({ t, lang, now, list, titles, query }: Props) => (
  <Area t={t} title={t.donations.title} current="donations">
    {list.items.length === 0 ? (
      <Empty text={t.donations.empty} action={{ href: '/', label: t.donations.toCampaigns }} />
    ) : (
      <>
        <p class="lead">{t.donations.lead}</p>
        <Table
          caption={t.donations.caption}
          columns={t.donations.columns}
          rows={list.items.map((donation) => ({
            key: donation.id,
            cells: [
              <CampaignLink key="campaign" id={donation.campaignId} titles={titles} />,
              <DonationChip
                key="state"
                donation={donation}
                lang={lang}
                href={`/d/${donation.id}`}
              />,
              <Time key="when" at={donation.createdAt} lang={lang} now={now} />,
              <Money
                key="amount"
                {...donation.amount}
                lang={lang}
                gone={isGone(donation.status)}
              />,
            ],
          }))}
        />
        <Pager path={PATH} query={query} nextCursor={list.nextCursor} texts={t.list} />
      </>
    )}
    <p class="soft">
      {t.donations.missing} <a href="/account#wallets">{t.donations.linkWallet}</a>
    </p>
  </Area>
)
