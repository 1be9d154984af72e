import type { PaymentView } from '../../domain/donations/index.ts'
import { Button, Field, LinkButton, SlowNote } from '../components/form.tsx'
import type { DonateProps } from '../components/payment-panel.tsx'
import { Qr } from '../components/qr.tsx'
import { Banner } from '../components/states.tsx'
import { Copy, type CopyTexts, Hash, KeyValues } from '../components/values.tsx'
import { formatMoney, shorten } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { WalletLink } from '../shared/payment.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { DonatePanel } from './islands.tsx'
import { WalletSteps } from './wallet-steps.tsx'

export type PaymentInstructionsProps = {
  lang: Language
  donationId: string
  payment: PaymentView
  network: string
  /** The links that open a wallet app with this payment. */
  apps: readonly WalletLink[]
  /** The wallet that the donor named; undefined in another browser than the donor's. */
  wallet: string | undefined
  /** Whether another donor has announced a payment from the same wallet. */
  isContested: boolean
  /** The panel to pay with a wallet of this browser; null if the wallet is unknown. */
  island: DonateProps | null
  /** Whether this browser may attach a hash and cancel. */
  mayChange: boolean
}

/**
 * How to pay an intent that waits for its payment. A donor who has named a transaction sees first
 * what became of it, because a donor who pays again pays twice.
 */
export const PaymentInstructions = (props: PaymentInstructionsProps) => {
  const { lang, payment, donationId, mayChange } = props
  const t = donateTexts[lang].how
  const isNamed = payment.txHash !== null
  const changes = mayChange && (
    <Changes lang={lang} donationId={donationId} txHash={payment.txHash} />
  )
  return (
    <section class="page-section to-pay">
      <h2 class={isNamed ? 'visually-hidden' : undefined}>{t.title}</h2>
      {isNamed ? (
        <>
          {changes}
          <details>
            <summary>{t.notSent}</summary>
            <Ways {...props} />
          </details>
        </>
      ) : (
        <>
          <Ways {...props} />
          {changes}
        </>
      )}
    </section>
  )
}

/**
 * By the wallets of this browser and, without an escrow, also by a link for wallet apps, by a code
 * and by the data as text. The link comes first on a phone, and the code on a wide screen.
 */
const Ways = (props: PaymentInstructionsProps) => {
  const { lang, payment, network, donationId, island, isContested } = props
  const { how: t, exchange, whose, whoseTitle } = donateTexts[lang]
  const amount = amountOf(lang, payment)
  // An escrow does not record the donor of a plain transfer, so the page shows no account.
  const isPlain = payment.methods === null
  return (
    <>
      {isPlain && <WalletApps {...props} />}
      {isContested && <Banner tone="warn">{t.contested({ amount })}</Banner>}
      {isPlain && <p>{t.send({ amount, network })}</p>}
      {isPlain && <p class="note whose">{exchange}</p>}
      <div class={isPlain ? 'how-columns' : undefined}>
        <Facts {...props} />
        {isPlain && <Codes {...props} />}
      </div>
      {!isPlain && island?.intent && (
        <WalletSteps intent={island.intent} chain={island.chain} lang={lang} />
      )}
      {island && (
        <form
          class={isPlain ? 'form needs-script' : 'form'}
          method="post"
          action={`/d/${donationId}/hash`}
        >
          <h3>{t.panelTitle}</h3>
          <DonatePanel {...island} />
        </form>
      )}
      <details class="note whose">
        <summary>{whoseTitle}</summary>
        {whose}
      </details>
    </>
  )
}

const amountOf = (lang: Language, { amount, currency }: PaymentView): string =>
  formatMoney(lang, { value: amount, currency })

const copyTexts = (lang: Language, what: 'address' | 'amount'): CopyTexts => {
  const { copy } = donateTexts[lang]
  return { copy: copy[what], copied: copy.copied }
}

const Facts = ({ lang, payment, network, wallet }: PaymentInstructionsProps) => {
  const { how: t, summary } = donateTexts[lang]
  const { account, token, amount, currency, chainId, methods } = payment
  const address = copyTexts(lang, 'address')
  return (
    <KeyValues
      items={[
        {
          key: campaignTexts[lang].amount,
          value: (
            <span class="hash">
              <strong>{amountOf(lang, payment)}</strong>
              <Copy value={amount} texts={copyTexts(lang, 'amount')} />
            </span>
          ),
        },
        methods === null && {
          key: t.account,
          value: <Hash value={account} texts={address} full />,
        },
        { key: summary.network, value: `${network} (${chainId})` },
        methods === null &&
          token !== null && {
            key: t.token,
            value: (
              <>
                {currency}: <Hash value={token} texts={address} />
              </>
            ),
          },
        {
          key: t.wallet,
          value: wallet ? <Hash value={wallet} /> : t.fromNamed,
          hint: wallet ? t.fromWallet : undefined,
        },
      ]}
    />
  )
}

/** The links that open a wallet app with the payment filled in, for narrow screens. */
const WalletApps = ({ lang, payment, network, apps }: PaymentInstructionsProps) => {
  const t = donateTexts[lang].how
  const account = shorten(payment.account)
  return (
    <div class="how-apps on-phone">
      <LinkButton href={payment.uri}>{t.openPhone}</LinkButton>
      <p class="note">{t.checkThere({ amount: amountOf(lang, payment), account, network })}</p>
      <p class="section-links">
        {apps.map(({ name, href }) => (
          <a key={name} href={href}>
            {t.openApp(name)}
          </a>
        ))}
      </p>
    </div>
  )
}

const Codes = ({ lang, payment, network }: PaymentInstructionsProps) => {
  const t = donateTexts[lang].how
  const { account, uri } = payment
  const amount = amountOf(lang, payment)
  return (
    <div class="how-codes">
      <h3>{t.scan}</h3>
      <Qr text={uri} label={t.codeLabel({ amount, account, network })} />
      <p class="note">{t.check({ amount, account: shorten(account) })}</p>
      <p class="on-desk">
        <a href={uri}>{t.open}</a>
      </p>
      <details>
        <summary>{t.bareTitle}</summary>
        <p class="note">{t.bare({ amount, network })}</p>
        <Qr text={account} label={t.bareLabel({ account })} />
      </details>
    </div>
  )
}

type ChangesProps = { lang: Language; donationId: string; txHash: string | null }

/** What only the donor can do: name the transaction, or cancel. */
const Changes = ({ lang, donationId, txHash }: ChangesProps) => {
  const { how: t, slow } = donateTexts[lang]
  return (
    <div class="how-changes">
      <HashForm lang={lang} donationId={donationId} value={txHash ?? undefined} />
      <form method="post" action={`/d/${donationId}/cancel`}>
        <Button kind="plain">{t.cancel}</Button>
        <p class="note">{t.cancelHint}</p>
        <SlowNote {...slow} href={`/d/${donationId}`} />
      </form>
    </div>
  )
}

type HashFormProps = {
  lang: Language
  donationId: string
  value?: string | undefined
  error?: string | undefined
}

/** The form that names the transaction of an intent. */
export const HashForm = ({ lang, donationId, value, error }: HashFormProps) => {
  const { how: t, slow } = donateTexts[lang]
  return (
    <details open={value !== undefined}>
      <summary>{t.hashTitle}</summary>
      <form class="form" method="post" action={`/d/${donationId}/hash`} novalidate>
        <Field
          name="txHash"
          label={t.hash}
          hint={t.hashHint}
          value={value}
          error={error}
          required
          autocomplete="off"
          spellcheck={false}
        />
        <Button kind="plain">{t.hashButton}</Button>
        <SlowNote {...slow} href={`/d/${donationId}`} />
      </form>
    </details>
  )
}
