import type { DonorRefund, ReadyTransaction } from '../../domain/campaigns/index.ts'
import { SendPanel, type SendProps } from '../components/send-panel.tsx'
import { Chip } from '../components/states.tsx'
import { Filled, Hash, KeyValues, Money, Time } from '../components/values.tsx'
import { explorerLink, formatCount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { WalletChain } from '../shared/payment.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donationTexts } from '../texts/donation/index.ts'
import { escrowTexts } from '../texts/escrow/index.ts'
import { feeData, Gas } from './wallet-steps.tsx'

type Props = {
  transaction: ReadyTransaction
  chain: WalletChain
  lang: Language
  /** Replaces the usual sentence after the wallet has sent the transaction. */
  sent?: string
}

/**
 * A transaction that is ready to send: by a wallet of this browser, or by its data as text. The
 * page needs the scripts `send` and `page`.
 */
export const ReadyTransactionPart = ({ transaction, chain, lang, sent }: Props) => {
  const t = escrowTexts[lang]
  const { calls } = transaction.sendCalls
  const texts = sent === undefined ? t.send : { ...t.send, sent }
  const props: SendProps = { chain, calls, from: transaction.from ?? null, texts }
  return (
    <div class="ready" {...feeData(chain, lang)}>
      <p class="note">
        <Simulation transaction={transaction} lang={lang} />
      </p>
      <div class="needs-script" data-island="send" data-props={JSON.stringify(props)}>
        <SendPanel {...props} />
      </div>
      <details>
        <summary>{t.transaction.data}</summary>
        {calls.map((call, index) => (
          <Call key={call.data} {...{ call, index, transaction, chain, lang }} />
        ))}
      </details>
    </div>
  )
}

type CallProps = Props & { call: { to: string; data: string }; index: number }

const Call = ({ call, index, transaction, chain, lang }: CallProps) => {
  const t = escrowTexts[lang].transaction
  const { copy } = campaignTexts[lang]
  const { from, validUntil, sendCalls } = transaction
  return (
    <>
      {sendCalls.calls.length > 1 && <h4>{t.call(formatCount(lang, index + 1))}</h4>}
      <KeyValues
        items={[
          { key: t.chain, value: `${chain.name} (${chain.id})` },
          { key: t.to, value: <Hash value={call.to} texts={copy} full /> },
          { key: t.payload, value: <Hash value={call.data} texts={copy} full /> },
          { key: t.value, value: '0' },
          from !== undefined && { key: t.from, value: <Hash value={from} texts={copy} full /> },
          validUntil && { key: t.validUntil, value: <Time at={validUntil} lang={lang} /> },
        ]}
      />
    </>
  )
}

/** What a node said about the transaction. */
const Simulation = ({ transaction: { simulated }, lang }: Pick<Props, 'transaction' | 'lang'>) => {
  const t = escrowTexts[lang].transaction
  if (!simulated?.ok) return <>{simulated ? t.fails : t.untried}</>
  return <Filled text={t.works} values={{ fee: <Gas gas={simulated.gas ?? 0} lang={lang} /> }} />
}

type FactsProps = {
  refund: DonorRefund
  /** The number of verifiers that sign a return. */
  quorum: number
  chain: { explorer: string | null } | undefined
  lang: Language
}

/** The state of a refund, its amount, who gets it, and the transactions that paid it. */
export const RefundFacts = ({ refund, quorum, chain, lang }: FactsProps) => {
  const { state, receiver, transactions, money, isElsewhere } = refund
  const { refund: t } = donationTexts[lang]
  const { amount, transaction, copy, donationStates } = campaignTexts[lang]
  const { confirming: sent, refunded: done } = donationStates
  const about = state === 'unsigned' ? t.unsigned(formatCount(lang, quorum)) : t[state]
  const hash = (kind: 'address' | 'tx', value: string) => (
    <Hash value={value} href={explorerLink(chain, kind, value)} texts={copy} />
  )
  return (
    <>
      <p>
        <Chip tone={state === 'done' ? 'quiet' : 'info'}>{{ ...t.states, sent, done }[state]}</Chip>
      </p>
      <p>{isElsewhere ? t.elsewhere : about}</p>
      <KeyValues
        items={[
          money && { key: amount, value: <Money {...money} lang={lang} /> },
          receiver !== null && { key: t.to, value: hash('address', receiver) },
          transactions.length > 0 && {
            key: transaction,
            value: transactions.map((one) => <div key={one}>{hash('tx', one)}</div>),
          },
        ]}
      />
    </>
  )
}
