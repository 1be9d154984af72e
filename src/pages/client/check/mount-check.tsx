import { render } from 'preact'
import { ProofCheck } from '../../components/check/proof-check.tsx'
import { type CheckProps, IDLE } from '../../shared/check/check-state.ts'
import { Checker } from './checker.ts'

/** Renders the check into its element again whenever its state changes. */
export const mountCheck = (element: HTMLElement, props: CheckProps): Checker => {
  let state = IDLE
  return new Checker(props, (part) => {
    state = { ...state, ...part }
    render(<ProofCheck {...props} state={state} />, element)
  })
}
