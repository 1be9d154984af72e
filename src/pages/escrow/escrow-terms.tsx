import type { CampaignView, EscrowFacts } from '../../domain/campaigns/index.ts'
import { Table } from '../components/lists.tsx'
import { Hash, KeyValues, Money, Time } from '../components/values.tsx'
import { add, explorerLink, formatCount, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { WalletChain } from '../shared/payment.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { escrowTexts } from '../texts/escrow/index.ts'

type Props = { campaign: CampaignView; escrow: EscrowFacts; chain: WalletChain; lang: Language }

/** The terms of an escrow, which its address fixes. */
export const EscrowTerms = ({ campaign, escrow, chain, lang }: Props) => {
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
      <p>{leastOf(escrow, lang)}</p>
      <Table
        caption={words.milestones}
        columns={[t.milestone, words.state, t.signatures, words.amount]}
        rows={campaign.milestones.map(({ id, title, status }, index) => ({
          key: id,
          cells: [
            title ?? words.milestone(index + 1),
            stateOf(status, lang),
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

const stateOf = (status: CampaignView['milestones'][number]['status'], lang: Language): string =>
  status === 'pending' ? '–' : campaignTexts[lang].milestoneStates[status]

/** How much one verifier alone can release; if nothing, how many the milestones need at least. */
const leastOf = ({ milestones, currency, surplus }: EscrowFacts, lang: Language): string => {
  const t = escrowTexts[lang]
  const alone = milestones.filter(({ required }) => required === 1)
  const least = Math.min(...milestones.map(({ required }) => required))
  if (alone.length === 0) return t.leastVerifiers(formatCount(lang, least))
  const value = alone.reduce((sum, { amount }) => add(sum, amount), '0')
  const sentence = t.oneVerifier(formatMoney(lang, { value, currency }))
  const isAll = alone.length === milestones.length && surplus === 'recipient'
  return isAll ? `${sentence} ${t.alsoLeft}` : sentence
}
