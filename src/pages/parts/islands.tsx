import type { CheckProps } from '../components/check-state.ts'
import { type DonateProps, PaymentPanel } from '../components/payment-panel.tsx'
import { ProofCheck } from '../components/proof-check.tsx'
import { startPayment } from '../shared/payment-machine.ts'

/** The payment panel as the server renders it. The script `donate` takes it over. */
export const DonatePanel = (props: DonateProps) => (
  <div data-island="donate" data-props={JSON.stringify(props)}>
    <PaymentPanel
      {...props}
      wallets={null}
      chosen=""
      payment={startPayment(props.chain.id, props.intent)}
      isNew={props.intent === null}
      values={{ wallet: '', amount: '', currency: '', from: '' }}
    />
  </div>
)

/** The place of the check in a page. The script `check` takes it over at the donor's first act. */
export const CheckIsland = (props: CheckProps) => (
  <div data-island="check" data-props={JSON.stringify(props)}>
    <ProofCheck {...props} />
  </div>
)
