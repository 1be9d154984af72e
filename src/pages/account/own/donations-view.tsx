import type { CampaignTitle } from '../../../domain/campaign/index.ts'
import type { DonationView } from '../../../domain/donation/index.ts'
import type { DonationStatus } from '../../../kernel/statuses.ts'
import { Chip, type Tone } from '../../components/chip.tsx'
import { Empty } from '../../components/empty.tsx'
import { Money } from '../../components/money.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Area } from './area.tsx'
import { CampaignLink, ListPager, type ListProps } from './list-parts.tsx'

const TONES: Readonly<Record<DonationStatus, Tone>> = {
  pending: 'warn',
  confirming: 'info',
  completed: 'good',
  failed: 'bad',
  expired: 'quiet',
  reversed: 'bad',
  partly_refunded: 'good',
  refunded: 'quiet',
}

/** States of a donation whose money does not count, or no longer. */
const GONE: readonly DonationStatus[] = ['failed', 'expired', 'reversed']

type Props = ListProps<DonationView> & { titles: ReadonlyMap<string, CampaignTitle> }

/** The donations of the signed-in person, with their states. */
export const DonationsView = ({ t, lang, now, list, titles, isFirst }: Props) => (
  <Area t={t} title={t.donations.title} current="donations">
    {list.items.length === 0 ? (
      <Empty text={t.donations.empty} action={{ href: '/', label: t.donations.toCampaigns }} />
    ) : (
      <>
        <p class="lead">{t.donations.lead}</p>
        <Table
          caption={t.donations.caption}
          columns={t.donations.columns}
          rows={list.items.map(({ id, campaignId, status, createdAt, amount }) => ({
            key: id,
            cells: [
              <CampaignLink key="campaign" id={campaignId} titles={titles} />,
              <Chip key="state" tone={TONES[status]} href={`/d/${id}`}>
                {t.donations.states[status]}
              </Chip>,
              <Time key="when" at={createdAt} lang={lang} now={now} />,
              <Money key="amount" {...amount} lang={lang} gone={GONE.includes(status)} />,
            ],
          }))}
        />
        <ListPager t={t} path="/account/donations" isFirst={isFirst} next={list.nextCursor} />
      </>
    )}
    <p class="soft">
      {t.donations.missing} <a href="/account#wallets">{t.donations.linkWallet}</a>
    </p>
  </Area>
)
