import { fill } from '../shared/format.ts'
import type { Intent, PayableAsset, WalletChain, WalletLink } from '../shared/payment.ts'
import { isOver, isWaiting, type Payment } from '../shared/payment-machine.ts'
import type { DonateTexts } from '../texts/donate/en.ts'
import { Button, Field, LinkButton } from './form.tsx'
import { Audit, Banner } from './states.tsx'

type PanelWallet = { id: string; name: string; icon: string | null }

/** The choice to pay by phone or by a wallet that this browser does not have. */
export const PHONE = 'phone'

export type PanelProps = {
  texts: PanelTexts
  /** The wallets of this browser; null while the page looks for them, and on the server. */
  wallets: readonly PanelWallet[] | null
  /** The id of the chosen wallet, or `PHONE`. */
  chosen: string
  payment: Payment
  /** For the names in braces. */
  values: { wallet: string; amount: string; currency: string; from: string }
  /** Whether the page can record an intent. */
  isNew: boolean
  /** The ways to open this page in a wallet app; null without an escrow, where a code can pay. */
  walletLinks: readonly WalletLink[] | null
  /** Stands directly above the buttons. */
  audit: string
  /** The typed address of the wallet that pays, if the form came back with errors. */
  address?: { value?: string | undefined; error?: string | undefined }
  onCancel?: () => void
}

/**
 * The choice of a wallet, the state of the payment, and the one button with the next step. Its
 * fields are part of the form around it.
 */
export const PaymentPanel = (props: PanelProps) => {
  const { texts, payment, chosen, wallets, walletLinks, audit, address = {} } = props
  const asksAddress = hasPhone(props) && (wallets === null || chosen === PHONE) && !payment.intent
  return (
    <div class={wallets === null ? 'pay pay-first' : 'pay'}>
      <div class={hasPhone(props) ? 'pay-ways with-phone' : 'pay-ways'}>
        <Ways {...props} />
        {asksAddress && (
          <Field
            name="wallet"
            label={texts.address}
            hint={texts.addressHint}
            autocomplete="off"
            spellcheck={false}
            {...address}
          />
        )}
      </div>
      {walletLinks && <p class="note">{texts.ownWallet}</p>}
      <div class="pay-state" role="status">
        <PanelState {...props} />
      </div>
      {!isOver(payment) && <Audit text={audit} />}
      {!isOver(payment) && <Buttons {...props} />}
    </div>
  )
}

/** Whether the form can also record a donation that another device pays. */
const hasPhone = ({ isNew, walletLinks }: PanelProps): boolean => isNew && walletLinks === null

const Ways = (props: PanelProps) => {
  const { texts, wallets, chosen, walletLinks } = props
  if (!wallets?.length) {
    return (
      <>
        {wallets === null && <p class="pay-looking">{texts.looking}</p>}
        {(wallets !== null || walletLinks) && (
          <p class="note pay-without">
            {texts.noWallet} {walletLinks ? texts.openIn : props.isNew && texts.byPhone}
          </p>
        )}
      </>
    )
  }
  const ways = wallets.map(({ id, name, icon }) => ({
    id,
    icon,
    label: name || texts.browserWallet,
    hint: '',
  }))
  const phone = { id: PHONE, icon: null, label: texts.phone, hint: texts.phoneHint }
  return (
    <fieldset class="field">
      <legend>{texts.legend}</legend>
      <div class="choices">
        {[...ways, ...(hasPhone(props) ? [phone] : [])].map(({ id, icon, label, hint }) => (
          <label key={id} class="choice">
            <input type="radio" name="way" value={id} checked={id === chosen} />
            {icon && <img src={icon} alt="" width={24} height={24} />}
            <span>
              {label}
              {hint && <span class="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** One sentence about the state, and what to do. */
const PanelState = ({ texts, payment, values, chosen }: PanelProps) => {
  const { step, problem, detail, isSlow, intent } = payment
  const filled = (text: string) => fill(text, values)
  if (problem !== null) {
    // The server says in the visitor's language what it has refused.
    const isRefused = problem === 'refused' && detail !== ''
    return (
      <Banner tone={problem === 'blocked' ? 'bad' : 'warn'}>
        <p>{isRefused ? detail : filled(texts.problems[problem])}</p>
        {detail !== '' && problem === 'failed' && (
          <details>
            <summary>{texts.walletSays}</summary>
            <p>{detail}</p>
          </details>
        )}
      </Banner>
    )
  }
  const isUnanswered = step === 'checking' || step === 'intent'
  if (isSlow) return <Banner tone="warn">{isUnanswered ? texts.unanswered : texts.slow}</Banner>
  if (chosen === PHONE) return null
  if (step === 'switch') return <p>{texts.switchHint}</p>
  if (step === 'pay') return <p class="soft">{filled(texts.connected)}</p>
  if (step === 'confirm') return <Banner tone="info">{filled(texts.confirmHint)}</Banner>
  if (step !== 'sent' && step !== 'signers') return null
  return (
    <Banner tone="info">
      <p>{texts[step]}</p>
      {intent && (
        <p>
          <a href={`/d/${intent.id}`}>{texts.toDonation}</a>
        </p>
      )}
    </Banner>
  )
}

const Buttons = (props: PanelProps) => {
  const { texts, payment, values, chosen, wallets, walletLinks, isNew, onCancel } = props
  const { step, isSlow, intent, problem } = payment
  const byWallet = wallets !== null && chosen !== PHONE
  const label: keyof PanelTexts['button'] = byWallet ? (step === 'signers' ? 'sent' : step) : 'show'
  if (walletLinks && !wallets?.length) {
    return (
      <p class="pay-buttons pay-without">
        {walletLinks.map(({ name, href }) => (
          <LinkButton key={name} kind="plain" href={href}>
            {name}
          </LinkButton>
        ))}
      </p>
    )
  }
  if (!byWallet && !hasPhone(props)) return null
  return (
    <div class="pay-buttons">
      {intent && !byWallet ? (
        <LinkButton href={`/d/${intent.id}`}>{texts.button.show}</LinkButton>
      ) : (
        <Button aria-disabled={byWallet && (isWaiting(payment) || problem === 'wrong-account')}>
          {fill(texts.button[label], values)}
        </Button>
      )}
      {isSlow && (
        <Button kind="plain" type="button" onClick={onCancel}>
          {texts.cancel}
        </Button>
      )}
      {intent && !isWaiting(payment) && (isNew || problem === 'wrong-account') && (
        <button
          type="submit"
          class="button button-plain"
          formaction={`/d/${intent.id}/cancel`}
          formnovalidate
        >
          {texts.startAgain}
        </button>
      )}
    </div>
  )
}

/** What the script `donate` gets from the server. */
export type DonateProps = {
  lang: string
  texts: PanelTexts
  chain: WalletChain
  assets: readonly PayableAsset[]
  /** Where to record an intent. */
  action: string
  /** An intent that is already recorded; null on the page that records one. */
  intent: Intent | null
  /** The ways to open this page in a wallet app; null without an escrow, where a code can pay. */
  walletLinks: readonly WalletLink[] | null
  /** The warning above the buttons. */
  audit: string
  address?: { value?: string | undefined; error?: string | undefined }
}

/**
 * The texts of the payment panel. They go to the browser, so a text has names in braces for the
 * values that only the browser knows: `{wallet}`, `{amount}`, `{currency}` and `{from}`.
 */
type PanelTexts = ReturnType<DonateTexts['panel']>
