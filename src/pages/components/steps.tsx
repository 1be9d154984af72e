import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

type StepState = 'ok' | 'failed' | 'unknown'

export type Step = {
  key: string
  state: StepState
  title: string
  /** Says the state in a word. */
  stateText: string
  detail?: ComponentChildren
}

const ICONS: Record<StepState, IconName> = {
  ok: 'check',
  failed: 'cross',
  unknown: 'warning',
}

/** The steps of a check, each with its result. */
export const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="steps">
    {steps.map(({ key, state, title, stateText, detail }) => (
      <li key={key} class={`step-${state}`}>
        <Icon name={ICONS[state]} />
        <div>
          <span class="step-title">{title}</span> <span class="step-state">{stateText}</span>
          {detail && <div class="step-detail">{detail}</div>}
        </div>
      </li>
    ))}
  </ol>
)
