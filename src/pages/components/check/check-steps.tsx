import type { CheckOutcome } from '../../shared/check/check-proof.ts'
import type { CheckTexts, StepName } from '../../shared/check/check-texts.ts'
import { Icon } from '../icon.tsx'

const ICONS = { ok: 'check', failed: 'cross', unknown: 'warning' } as const

type Props = { outcome: CheckOutcome; texts: CheckTexts }

/** The steps of a check with their results. The verifier's explanations are in English. */
export const CheckSteps = ({ outcome: { checks, verdict, answers }, texts }: Props) => {
  const hasHash = answers.some(({ hash }) => hash !== null)
  const words = { ok: texts.holds, failed: texts.fails, unknown: texts.unchecked }
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
              <span class="step-title">{texts.steps[name as StepName]}</span>{' '}
              <span class="step-state">{words[state]}</span>
              <div class="step-detail" lang="en">
                {why}
              </div>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
