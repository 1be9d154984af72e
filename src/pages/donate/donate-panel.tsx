import type { ComponentProps } from 'preact'
import type { DonateProps } from '../components/payment/donate-props.ts'
import { PaymentPanel } from '../components/payment/payment-panel.tsx'
import { startPayment } from '../shared/payment-machine.ts'

type Props = {
  island: DonateProps
  address?: ComponentProps<typeof PaymentPanel>['address']
}

/** The payment panel as the server renders it. The script `donate` takes it over. */
export const DonatePanel = ({ island, address }: Props) => (
  <div data-island="donate" data-props={JSON.stringify({ ...island, address })}>
    <PaymentPanel {...firstPanel(island)} {...(address && { address })} />
  </div>
)

const firstPanel = ({ texts, chain, gift, hasPhone, road }: DonateProps) => ({
  texts,
  wallets: null,
  chosen: '',
  payment: startPayment(chain.id, gift),
  values: { wallet: '', amount: '', currency: '', from: '' },
  hasPhone,
  road,
})
