import type { ComponentChildren } from 'preact'
import { Hash, KeyValues, Time } from '../components/values.tsx'
import { formatCount, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { Intent, WalletChain } from '../shared/payment.ts'
import { gasOf, stepsOf, type WalletStep } from '../shared/wallet-steps.ts'
import { donateTexts } from '../texts/donate/index.ts'

type Props = { intent: Intent; chain: WalletChain; lang: Language }

/**
 * The requests of a wallet that gives to an escrow, made from the calls themselves: what each does,
 * whether it moves money, its fee, and what the wallet shows. The script shows the list of a wallet
 * that sends all calls at once, if it is one, and fees in the coin of the chain.
 */
export const WalletSteps = (props: Props) => {
  const { chain, lang } = props
  return (
    <div class="wallet-steps" {...feeData(chain, lang)}>
      <StepList {...props} steps={stepsOf(props.intent, false)} way="by-each" />
      <StepList {...props} steps={stepsOf(props.intent, true)} way="by-batch" />
    </div>
  )
}

type ListProps = Props & { steps: readonly WalletStep[]; way: string }

const StepList = ({ steps, way, ...props }: ListProps) => {
  const { intent, lang } = props
  const { escrow: t } = donateTexts[lang]
  const { costs } = t
  return (
    <div class={way}>
      <h3>{t.title(steps.length)}</h3>
      <p>{t.lead}</p>
      <ol class="steps-numbered">
        {steps.map((step, index) => (
          <li key={step.kind} class="step">
            <p class="note">{t.of({ step: index + 1, all: steps.length })}</p>
            <h4>{t.kinds[step.kind].title}</h4>
            <p>
              <strong>
                {moves(step) ? t.moves(amountOf(intent, lang)) : t.movesNone}{' '}
                {step.gas === 0 ? (
                  t.noFee
                ) : (
                  <>
                    {t.fee} <Gas gas={step.gas} lang={lang} />.
                  </>
                )}
              </strong>
            </p>
            <p>{t.kinds[step.kind].what}</p>
            <Shown {...props} step={step} />
          </li>
        ))}
      </ol>
      <h3>{costs.title}</h3>
      <KeyValues
        items={[
          { key: costs.donation, value: amountOf(intent, lang) },
          { key: costs.network, value: <Gas gas={gasOf(steps)} lang={lang} />, hint: costs.note },
          { key: costs.own, value: costs.none },
        ]}
      />
    </div>
  )
}

const moves = ({ kind }: WalletStep): boolean => kind === 'give' || kind === 'batch'

const amountOf = ({ amount: value, currency }: Intent, lang: Language): string =>
  formatMoney(lang, { value, currency })

/** By these values of an element, the script shows the fees inside in the coin of the chain. */
export const feeData = (chain: WalletChain, lang: Language) => ({
  'data-chain': chain.id,
  'data-coin': chain.native.symbol,
  'data-lang': lang,
  'data-about': donateTexts[lang].escrow.about('{fee}'),
})

/** A fee. The script replaces the gas by an amount of the chain's coin. */
export const Gas = ({ gas, lang }: { gas: number; lang: Language }) => (
  <span data-gas={gas}>{donateTexts[lang].escrow.gas(formatCount(lang, gas))}</span>
)

/** The fields that the wallet shows for a step. */
const Shown = ({ step, intent, chain, lang }: Props & { step: WalletStep }) => {
  const { escrow: t } = donateTexts[lang]
  const amount = amountOf(intent, lang)
  const party = ({ kind, to }: WalletStep) => (
    <>
      <Hash value={to} />, {t.parties[PARTY[kind]]}
    </>
  )
  const nothing = { key: t.value, value: `0\u00a0${chain.native.symbol}` }
  const fields: { key: string; value: ComponentChildren; hint?: ComponentChildren }[] =
    step.kind === 'permission'
      ? [
          { key: t.kind, value: t.signature },
          { key: t.action, value: <code>{step.typedData.primaryType}</code> },
          { key: t.to, value: party(step) },
          { key: t.value, value: step.typedData.message.value, hint: t.units(amount) },
          {
            key: t.until,
            value: <Until seconds={step.typedData.message.validBefore} lang={lang} />,
          },
        ]
      : step.kind === 'batch'
        ? [
            { key: t.kind, value: t.calls },
            { key: t.to, value: step.parts.map((part) => <div key={part.to}>{party(part)}</div>) },
            { ...nothing, hint: t.inside(amount) },
          ]
        : [
            { key: t.kind, value: t.transaction },
            { key: t.to, value: party(step) },
            { ...nothing, hint: step.kind === 'give' ? t.inside(amount) : undefined },
            ...(step.kind === 'approve'
              ? [{ key: t.limit, value: intent.units, hint: t.units(amount) }]
              : []),
          ]
  return (
    <details class="wallet-shows">
      <summary>{t.shows}</summary>
      <KeyValues items={fields} />
    </details>
  )
}

const Until = ({ seconds, lang }: { seconds: string; lang: Language }) => (
  <Time at={new Date(Number(seconds) * 1_000)} lang={lang} />
)

const PARTY = {
  permission: 'escrow',
  give: 'escrow',
  batch: 'escrow',
  deploy: 'factory',
  approve: 'token',
} as const
