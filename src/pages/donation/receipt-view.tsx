import { createHash } from 'node:crypto'
import type { Settings } from '../../kernel/settings.ts'
import { isCreditedStatus } from '../../kernel/statuses.ts'
import { Qr } from '../components/qr.tsx'
import { Banner } from '../components/states.tsx'
import { Filled, Hash, KeyValues } from '../components/values.tsx'
import { isWorthless } from '../parts/donation-chip.tsx'
import { formatAmount, formatDay, formatMoment, formatMoney, subtract } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { donationTexts } from '../texts/donation/index.ts'
import { chainFacts, ledgerFacts, worthText } from './donation-facts.tsx'
import { doneOf, isGone } from './donation-panel.tsx'
import type { Tracked } from './load-donation.ts'
import { paidElsewhere } from './tracker.ts'

type Props = {
  tracked: Tracked
  lang: Language
  settings: Pick<Settings, 'publicUrl' | 'receiptIssuer'>
}

/** A receipt on one page of paper. Before the credit it says that it is none. */
export const ReceiptView = ({ tracked, lang, settings }: Props) => {
  const { donation } = tracked
  const { receipt: t, worthless } = donationTexts[lang]
  const isCredited = isCreditedStatus(donation.status) && !isWorthless(donation)
  const isNone = !isCredited && donation.status !== 'confirming'
  return (
    <div class="receipt-page">
      <p class="back no-print">
        <a href={`/d/${donation.id}`}>← {t.back}</a>
      </p>
      {isNone ? (
        <>
          <h1>{t.none}</h1>
          <p class="lead">{isWorthless(donation) ? worthless : t.noneText}</p>
        </>
      ) : (
        <>
          {!isCredited && (
            <Banner tone="warn" title={t.notYet}>
              {t.notYetText}
            </Banner>
          )}
          <Paper {...{ tracked, lang, settings, isCredited }} />
        </>
      )}
      {isCredited && (
        <p class="needs-script no-print">
          <button type="button" class="button button-primary" data-print>
            {t.print}
          </button>
        </p>
      )}
    </div>
  )
}

const COMMAND = 'npm run verify-proof -- proof.json --jwks jwks.json --rpc URL'

const Paper = ({ tracked, lang, settings, isCredited }: Props & { isCredited: boolean }) => {
  const { donation, proof, changedAt } = tracked
  const { receipt: t, facts } = donationTexts[lang]
  const { amount, creditedAmount, refundedAmount, completedAt } = donation
  const address = new URL(`/d/${donation.id}`, settings.publicUrl).href
  const { host } = new URL(settings.publicUrl)
  const counted = creditedAmount ?? amount
  const left = { ...counted, value: subtract(counted.value, refundedAmount?.value ?? '0') }
  const money = formatMoney(lang, amount, 2)
  const back = refundedAmount && formatMoney(lang, refundedAmount, 2)
  const done = doneOf(tracked, lang)
  const mark = isCredited ? back && done?.word : t.notYet
  const steps = [t.open, back ? `${t.compare} ${t.compareBack}` : t.compare, t.check]
  const values = { address: <strong>{address}</strong>, command: <code>{COMMAND}</code> }
  return (
    <article class="receipt">
      <header>
        <p>
          <strong>{t.issuedBy(settings.receiptIssuer ?? t.operatorOf(host))}</strong>
          <span class="hint">{host}</span>
        </p>
        <p>
          {t.number} <strong>{numberOf(tracked)}</strong>
          {changedAt && <span class="hint">{t.issued(formatMoment(lang, changedAt))}</span>}
          {back && completedAt && (
            <strong class="hint">{t.second(formatDay(lang, completedAt))}</strong>
          )}
        </p>
      </header>
      <header>
        <div>
          {mark && <p class="receipt-mark">{mark}</p>}
          <p class="kicker">{t.of}</p>
          <h1>{isGone(tracked) ? <s>{money}</s> : money}</h1>
          <p>{worthText(tracked, lang) ?? t.noPrice}</p>
          {back && (
            <p>
              {facts.countsNow}: <strong>{formatMoney(lang, left, 2)}</strong>.{' '}
              {isGone(tracked) && t.noGift}
            </p>
          )}
        </div>
        <Qr text={address} label={address} />
      </header>
      <Parties tracked={tracked} lang={lang} />
      <KeyValues
        items={[
          refundedAmount && {
            key: t.paidBack,
            value: t.ofAll(formatAmount(lang, refundedAmount.value), formatMoney(lang, counted)),
            hint: [
              paidElsewhere(tracked, lang),
              tracked.refund?.transactions.map((one) => <Hash key={one} value={one} full />),
            ],
          },
          tracked.paidAt && { key: t.paidAt, value: formatMoment(lang, tracked.paidAt) },
          completedAt && { key: t.creditedAt, value: formatMoment(lang, completedAt) },
          ...chainFacts(tracked, lang, true),
          ...ledgerFacts(tracked, lang, true),
        ]}
      />
      <h2>{t.fingerprint}</h2>
      <p class="receipt-print">{proof ? <code>{fingerprintOf(proof)}</code> : t.noProof}</p>
      <h2>{t.how}</h2>
      <ol>
        {steps.map((step) => (
          <li key={step}>
            <Filled text={step} values={values} />
          </li>
        ))}
      </ol>
      {isCredited && <footer>{back ? t.statementBack(back) : t.statement}</footer>}
    </article>
  )
}

/** Who got the money, who gave it, and for what. Names are as people wrote them. */
const Parties = ({ tracked: { donation, campaign, proof }, lang }: Omit<Props, 'settings'>) => {
  const { receipt: t, facts } = donationTexts[lang]
  const { title, creatorName, escrow, ledgerAccount, accountProven } = campaign
  const donor = donation.donor?.name
  const payee = escrow ? t.escrowOf(title) : (creatorName ?? title)
  const sender = proof?.donation.sender
  return (
    <dl class="receipt-parties">
      <div>
        <dt>{t.paidTo}</dt>
        <dd>
          <strong>{payee}</strong>
          {!escrow && creatorName && <span class="hint">{t.unchecked}</span>}
          <Hash value={ledgerAccount} full />
          {!escrow && accountProven && <span class="hint">{t.isProven}</span>}
        </dd>
      </div>
      <div>
        <dt>{t.givenBy}</dt>
        <dd>
          <strong>{donor ?? facts.anonymous}</strong>
          {donor && <span class="hint">{t.asWritten}</span>}
          {sender && <Hash value={sender} full />}
        </dd>
      </div>
      <div>
        <dt>{t.purpose}</dt>
        <dd>
          <strong>{title}</strong>
          <span class="hint">{escrow ? t.held : t.direct}</span>
        </dd>
      </div>
    </dl>
  )
}

/** The year of the credit, and the number of its entry, which no other credit of the issuer has. */
const numberOf = ({ donation: { id, completedAt }, proof }: Tracked): string => {
  const credit = proof?.ledger.entries.findLast(({ kind }) => kind === 'donation')
  return credit && completedAt ? `${completedAt.getUTCFullYear()}-${credit.id}` : id
}

/** The SHA-256 of the file that the API gives, in groups that a person can compare. */
const fingerprintOf = (proof: NonNullable<Tracked['proof']>): string =>
  createHash('sha256')
    .update(JSON.stringify(proof))
    .digest('hex')
    .replaceAll(/(.{4})(?=.)/g, '$1 ')
