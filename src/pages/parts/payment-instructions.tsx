import type { PaymentView } from '../../domain/donations/index.ts'
import { Button, Field } from '../components/form.tsx'
import type { DonateProps } from '../components/payment-panel.tsx'
import { Qr } from '../components/qr.tsx'
import { Banner } from '../components/states.tsx'
import { Copy, type CopyTexts, Hash, KeyValues, Time } from '../components/values.tsx'
import { formatMoney, shorten } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { DonatePanel } from './islands.tsx'
import { WalletSteps } from './wallet-steps.tsx'

export type PaymentInstructionsProps = {
  lang: Language
  donationId: string
  payment: PaymentView
  network: string
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
 * How to pay an intent that waits for its payment: by the wallets of this browser and, without an
 * escrow, also by the data as text and by a code for a wallet on a phone.
 */
export const PaymentInstructions = (props: PaymentInstructionsProps) => {
  const { lang, payment, network, donationId, island, isContested, mayChange } = props
  const t = donateTexts[lang].how
  const amount = amountOf(lang, payment)
  // An escrow does not record the donor of a plain transfer, so the page shows no account.
  const isPlain = payment.methods === null
  return (
    <section class="page-section how" aria-labelledby="how-to-pay">
      <h2 id="how-to-pay">{t.title}</h2>
      {isPlain && <p>{t.send({ amount, network })}</p>}
      {isContested && <Banner tone="warn">{t.contested({ amount })}</Banner>}
      <div class="how-columns">
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
      <p class="note whose">{donateTexts[lang].whose}</p>
      {mayChange && <Changes lang={lang} donationId={donationId} />}
    </section>
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
  const { account, token, amount, currency, chainId, expiresAt, methods } = payment
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
        { key: t.until, value: <Time at={expiresAt} lang={lang} />, hint: t.late },
      ]}
    />
  )
}

const Codes = ({ lang, payment, network }: PaymentInstructionsProps) => {
  const t = donateTexts[lang].how
  const { account, uri } = payment
  const amount = amountOf(lang, payment)
  return (
    <div class="how-codes">
      <Qr text={uri} label={t.codeLabel({ amount, account, network })} />
      <p>
        <a href={uri}>{t.open}</a>
      </p>
      <p class="note">{t.check({ amount, account: shorten(account) })}</p>
      <details>
        <summary>{t.bareTitle}</summary>
        <p class="note">{t.bare({ amount, network })}</p>
        <Qr text={account} label={t.bareLabel({ account })} />
      </details>
    </div>
  )
}

type ChangesProps = { lang: Language; donationId: string }

/** What only the donor can do: name the transaction, or cancel. */
const Changes = ({ lang, donationId }: ChangesProps) => {
  const t = donateTexts[lang].how
  return (
    <div class="how-changes">
      <HashForm lang={lang} donationId={donationId} />
      <form method="post" action={`/d/${donationId}/cancel`}>
        <Button kind="plain">{t.cancel}</Button>
        <p class="note">{t.cancelHint}</p>
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
  const t = donateTexts[lang].how
  return (
    <details open={error !== undefined}>
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
      </form>
    </details>
  )
}
