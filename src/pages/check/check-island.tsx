import { ProofCheck } from '../components/check/proof-check.tsx'
import type { CheckProps } from '../shared/check/check-state.ts'

/** The place of the check in a page. The script `check` takes it over at the donor's first act. */
export const CheckIsland = (props: CheckProps) => (
  <div data-island="check" data-props={JSON.stringify(props)}>
    <ProofCheck {...props} />
  </div>
)
