import { CheckDesk } from '../components/check/check-desk.tsx'
import { DonationCheck } from '../components/check/donation-check.tsx'
import type { CheckProps } from '../shared/check/check-state.ts'

/** The place of the check in a page. The script `check` takes it over at the donor's first act. */
export const CheckIsland = (props: CheckProps) => (
  <div data-island="check" data-props={JSON.stringify(props)}>
    {props.donation === null ? <CheckDesk {...props} /> : <DonationCheck {...props} />}
  </div>
)
