import type { CheckOutcome } from '../shared/check/check-proof.ts'
import { fill, formatMoney } from '../shared/format.ts'
import type { CheckTexts, CheckView } from './check-state.ts'
import { amountText, chainName, isHashKnown } from './check-words.ts'
import { FileField } from './form.tsx'
import { Icon } from './states.tsx'
import { Filled, Fold, Hash, KeyValues } from './values.tsx'

/** All that is behind a verdict, folded. If a step is wrong, the steps are open. */
export const CheckDetails = ({ isWrong, ...view }: CheckView & { isWrong: boolean }) => {
  const { texts, state } = view
  const { outcome, keptFile, wrong } = state
  if (outcome === null) return null
  const count = outcome.checks.length
  const held = outcome.checks.filter(({ ok }) => ok).length
  return (
    <div>
      <Fold
        title={fill(texts.stepsTitle, { count })}
        end={fill(texts.stepsHeld, { held, count })}
        open={isWrong}
      >
        <CheckSteps outcome={outcome} texts={texts} />
      </Fold>
      {outcome.proof && (
        <>
          <Fold title={texts.facts.title}>
            <ProvenFacts {...view} />
          </Fold>
          <Fold
            title={texts.compare}
            end={keptFile && fill(texts.comparedWith, { file: keptFile })}
            open={wrong === 'kept'}
          >
            {outcome.keyIds.map((key) => (
              <p key={key}>
                <Filled text={texts.signedBy} values={{ key: <Hash value={key} full /> }} />
              </p>
            ))}
            <FileField
              name="kept"
              label={texts.compare}
              hint={texts.compareHint}
              error={wrong === 'kept' ? texts.unknownFile : undefined}
            />
          </Fold>
        </>
      )}
    </div>
  )
}

const ICONS = { ok: 'check', failed: 'cross', unknown: 'warning' } as const

/** The steps of a check with their results. The verifier's explanations are in English. */
const CheckSteps = ({ outcome, texts }: { outcome: CheckOutcome; texts: CheckTexts }) => {
  const { checks, verdict, answers, proof } = outcome
  const hasHash = answers.some(({ hash }) => hash !== null)
  const words = { ok: texts.holds, failed: texts.fails, unknown: texts.unchecked }
  // The donor's source must name the hash by itself, so the page does not show it before.
  const hide = (why: string) =>
    proof && !isHashKnown(outcome) ? why.replaceAll(proof.block.hash, '0x…') : why
  return (
    <ol class="steps">
      {checks.map(({ name, ok, why }) => {
        const isOpen =
          (name === 'chain' && !ok && !hasHash) ||
          (name === 'signature' && (verdict === 'unknown_key' || verdict === 'no_signatures'))
        const state = isOpen ? 'unknown' : ok ? 'ok' : 'failed'
        return (
          <li key={name} class={`step-${state}`}>
            <Icon name={ICONS[state]} />
            <div>
              <span class="step-title">{texts.steps[name as keyof CheckTexts['steps']]}</span>{' '}
              <span class="step-state">{words[state]}</span>
              <div class="step-detail" lang="en">
                {hide(why)}
              </div>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** The facts that the proof states, for the donor to compare with their own. */
const ProvenFacts = (props: CheckView) => {
  const { texts, state, assets, lang } = props
  const { outcome } = state
  if (!outcome?.proof) return null
  const { facts } = texts
  const { donation, chainId, block } = outcome.proof
  const { account, sender, txHash } = donation
  const amount = amountText(donation.amount, donation.asset, assets)
  return (
    <KeyValues
      items={[
        { key: facts.amount, value: formatMoney(lang, amount) },
        { key: facts.chain, value: chainName(props, chainId) },
        { key: facts.account, value: <Hash value={account} full /> },
        { key: facts.sender, value: sender ? <Hash value={sender} full /> : facts.unknownSender },
        { key: facts.transaction, value: <Hash value={txHash} full /> },
        { key: facts.block, value: String(block.number), hint: isHashKnown(outcome) && block.hash },
        { key: facts.donation, value: donation.id },
      ]}
    />
  )
}
