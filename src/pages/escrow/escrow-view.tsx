import type { ComponentChildren } from 'preact'
import type {
  BookedBlock,
  CampaignView,
  EscrowFacts,
  EscrowFigures,
  ReadyTransaction,
} from '../../domain/campaigns/index.ts'
import { Button, Field } from '../components/form.tsx'
import { Table } from '../components/lists.tsx'
import { LivePart } from '../components/live-part.tsx'
import { Banner } from '../components/states.tsx'
import { Hash, KeyValues, Money, Time } from '../components/values.tsx'
import { SubPage } from '../parts/campaign-parts.tsx'
import { AsOf, Ended, EscrowMoney, moneyOf } from '../parts/escrow-money.tsx'
import { ReadyTransactionPart, RefundFacts } from '../parts/escrow-parts.tsx'
import { aloneOf } from '../parts/warning.ts'
import { explorerLink, formatCount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { WalletChain } from '../shared/payment.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { escrowTexts } from '../texts/escrow/index.ts'
import { isOver, type ReadyNow, type RefundSearch, type ShownRefund } from './load-escrow.ts'

type Props = Omit<ReadyNow, 'escrow'> & {
  escrow: ReadyNow['escrow'] & EscrowFigures
  campaign: CampaignView
  /** The block of all figures. */
  booked: BookedBlock | null
  now: Date
  /** Null before a search for refunds. */
  search: RefundSearch | null
  chain: WalletChain
  lang: Language
}

/** The escrow of a campaign: its state and money, what can be sent now, and its terms. */
export const EscrowView = (props: Props) => {
  const { campaign, escrow, releases, search, chain, booked, now, lang } = props
  const t = escrowTexts[lang]
  const { isDust } = moneyOf(escrow, campaign.donations)
  const part = (transaction: ReadyTransaction) => (
    <ReadyTransactionPart transaction={transaction} chain={chain} lang={lang} />
  )
  const hasAny = releases.length + escrow.transactions.length > 0
  return (
    <SubPage campaign={campaign} lang={lang} title={t.title}>
      <p class="lead">{t.intro}</p>
      <section class="page-section">
        <State campaign={campaign} escrow={escrow} lang={lang} />
      </section>
      <section class="page-section">
        <h2>{t.money.title}</h2>
        <LivePart src={`/c/${campaign.slug}/live?lang=${lang}`} name="money">
          <EscrowMoney campaign={campaign} escrow={escrow} now={now} lang={lang} />
        </LivePart>
        <LivePart src={`/c/${campaign.slug}/live?lang=${lang}`} name="asof">
          <AsOf booked={booked} slug={campaign.slug} now={now} lang={lang} />
        </LivePart>
      </section>
      {isOver(escrow) && (
        <section class="page-section" id="refunds">
          <h2>{t.refunds}</h2>
          {escrow.state === 'failed' && !isDust && <p>{t.money.collect}</p>}
          {escrow.state === 'done' && <p>{t.assetReturns}</p>}
          <RefundSearchPart {...{ campaign, escrow, search, chain, lang }} />
        </section>
      )}
      <section class="page-section">
        <h2>{t.transactions}</h2>
        <p>{hasAny ? t.transactionsIntro : t.noTransactions}</p>
        {releases.map(({ milestoneId, transaction }) => (
          <Action
            key={milestoneId}
            id={`milestone-${milestoneId}`}
            title={`${t.actions.release.title}: ${titleOf(campaign, milestoneId, lang)}`}
            text={t.actions.release.text}
          >
            {part(transaction)}
          </Action>
        ))}
        {escrow.transactions.map((transaction) => (
          <Action key={transaction.action} {...t.actions[transaction.action]}>
            {part(transaction)}
          </Action>
        ))}
      </section>
      <EscrowTerms campaign={campaign} escrow={escrow} chain={chain} lang={lang} />
    </SubPage>
  )
}

const titleOf = ({ milestones }: CampaignView, id: string, lang: Language): string => {
  const index = milestones.findIndex((milestone) => milestone.id === id)
  return milestones[index]?.title ?? campaignTexts[lang].milestone(index + 1)
}

type ActionProps = { id?: string; title: string; text: string; children: ComponentChildren }

const Action = ({ id, title, text, children }: ActionProps) => (
  <section class="card action" id={id}>
    <h3>{title}</h3>
    <p>{text}</p>
    {children}
  </section>
)

const State = ({ campaign, escrow, lang }: Pick<Props, 'campaign' | 'escrow' | 'lang'>) => {
  if (escrow.state === 'failed') return <Ended campaign={campaign} escrow={escrow} lang={lang} />
  const { title, text } = escrowTexts[lang].states[escrow.state]
  return (
    <Banner tone={escrow.state === 'funding' ? 'info' : 'good'} title={title}>
      {text}
    </Banner>
  )
}

type Part = Omit<Props, 'releases' | 'booked' | 'now'>

/** A form that searches the refunds of an account, and the refunds that the search found. */
const RefundSearchPart = ({ campaign, escrow, search, chain, lang }: Part) => {
  const { search: t } = escrowTexts[lang]
  const isWrong = search?.found === null
  return (
    <>
      <p>{t.lead}</p>
      <form class="filter" action={`/c/${campaign.slug}/escrow#refunds`}>
        <Field
          name="account"
          label={t.account}
          value={search?.account}
          error={isWrong ? donateTexts[lang].refusals.wallet : undefined}
          spellcheck={false}
          maxLength={100}
          required
        />
        <Button kind="plain">{t.find}</Button>
      </form>
      {search?.found?.map((shown, index) => (
        <Refund key={index} {...{ shown, chain, lang }} quorum={escrow.quorum} />
      ))}
      {search?.found?.length === 0 && <p>{t.none}</p>}
    </>
  )
}

type RefundProps = Pick<Props, 'chain' | 'lang'> & { shown: ShownRefund; quorum: number }

const Refund = ({ shown: { refund, ready }, quorum, chain, lang }: RefundProps) => {
  const { roads } = escrowTexts[lang].search
  return (
    <section class="card action">
      <h3>{roads[refund.refund]}</h3>
      <RefundFacts {...{ refund, quorum, chain, lang }} />
      {ready && <ReadyTransactionPart {...ready} lang={lang} />}
    </section>
  )
}

/** The terms of an escrow, which its address fixes. */
const EscrowTerms = ({ campaign, escrow, chain, lang }: Omit<Part, 'search'>) => {
  const t = escrowTexts[lang]
  const words = campaignTexts[lang]
  const { verifiers, quorum } = escrow
  const account = (address: string) => (
    <Hash value={address} href={explorerLink(chain, 'address', address)} texts={words.copy} />
  )
  const time = (at: Date) => <Time at={at} lang={lang} />
  return (
    <section class="page-section">
      <h2>{t.terms}</h2>
      <p>{t.termsNote}</p>
      <KeyValues
        items={[
          {
            key: t.contract,
            value: (
              <Hash
                value={escrow.account}
                href={explorerLink(chain, 'address', escrow.account)}
                full
              />
            ),
            hint: escrow.deployed ? undefined : t.notDeployed,
          },
          {
            key: t.codeProven,
            value: escrow.codeProvenAt ? time(escrow.codeProvenAt) : t.codeNotProven,
          },
          { key: t.recipient, value: account(escrow.recipient), hint: t.recipientNote },
          { key: t.token, value: account(escrow.asset), hint: escrow.currency },
          { key: t.deadline, value: time(escrow.deadline), hint: t.deadlineNote },
          { key: t.activateBy, value: time(escrow.activateBy), hint: t.activateByNote },
          { key: t.expiry, value: time(escrow.expiry), hint: t.expiryNote },
          {
            key: t.verifiers,
            value: verifiers.map((one) => <div key={one}>{account(one)}</div>),
            hint: t.verifiersNote,
          },
          {
            key: t.quorum,
            value: t.quorumOf(formatCount(lang, quorum), formatCount(lang, verifiers.length)),
          },
          { key: t.surplus, value: t.surplusTo[escrow.surplus] },
        ]}
      />
      <h3 class="terms-milestones">{words.milestones}</h3>
      <p>{aloneOf(escrow, escrow.currency, lang)}</p>
      <Table
        caption={words.milestones}
        columns={[t.milestone, words.state, t.signatures, words.amount]}
        rows={campaign.milestones.map(({ id, title, status }, index) => ({
          key: id,
          cells: [
            title ?? words.milestone(index + 1),
            stateOf(status, escrow, lang),
            formatCount(lang, escrow.milestones[index]?.required ?? 0),
            <Money
              key="amount"
              value={escrow.milestones[index]?.amount ?? '0'}
              currency={escrow.currency}
              lang={lang}
            />,
          ],
        }))}
      />
    </section>
  )
}

const stateOf = (
  status: CampaignView['milestones'][number]['status'],
  { state }: EscrowFacts,
  lang: Language,
): string => {
  const t = campaignTexts[lang].milestoneStates
  if (state === 'failed' && status === 'reached') return t.unpaid
  return status === 'pending' || (state === 'funding' && status === 'reached') ? '–' : t[status]
}
