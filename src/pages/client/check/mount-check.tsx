import { render } from 'preact'
import { CheckDesk } from '../../components/check/check-desk.tsx'
import { DonationCheck } from '../../components/check/donation-check.tsx'
import { type CheckProps, type CheckState, IDLE } from '../../shared/check/check-state.ts'
import { Checker } from './checker.ts'

/** Renders the check into its element again whenever its state changes. */
export const mountCheck = (element: HTMLElement, props: CheckProps): Checker => {
  const View = props.donation === null ? CheckDesk : DonationCheck
  let state = IDLE
  return new Checker(props, (part: Partial<CheckState>) => {
    state = { ...state, ...part }
    render(<View {...props} state={state} />, element)
  })
}
