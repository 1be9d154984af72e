import { render } from 'preact'
import {
  NOT_SENT,
  SendPanel,
  type SendProps,
  type SendState,
} from '../../components/send-panel.tsx'
import { toWalletError } from '../../shared/wallet-problem.ts'
import { connect, switchChain } from '../wallet/account.ts'
import { askHex } from '../wallet/provider.ts'
import { sendInOrder } from '../wallet/send.ts'
import { showFees } from '../wallet/show-fees.ts'
import { type Wallet, watchWallets } from '../wallet/wallets.ts'

/** Lets a wallet of this browser send the transaction of an element. */
const mountSend = (element: HTMLElement, props: SendProps): void => {
  let wallets: readonly Wallet[] = []
  let state = NOT_SENT

  const show = (part: Partial<SendState>): void => {
    state = { ...state, ...part }
    render(
      <SendPanel {...props} state={state} onSend={onSend} onChoose={(id) => void sendBy(id)} />,
      element,
    )
  }

  const onSend = (): void => {
    const [first, ...others] = wallets
    if (!first) show({ problem: 'no-wallet' })
    else if (others.length > 0) show({ step: 'choosing', problem: null, wallets })
    else void sendBy(first.id)
  }

  const sendBy = async (id: string): Promise<void> => {
    const provider = wallets.find((wallet) => wallet.id === id)?.provider
    if (!provider) return
    show({ step: 'working', problem: null })
    try {
      const account = await connect(provider)
      if (props.from !== null && account.toLowerCase() !== props.from.toLowerCase()) {
        show({ step: 'idle', problem: 'wrong-account' })
        return
      }
      await switchChain(provider, props.chain)
      const hash = await sendInOrder(provider, account, props.calls)
      show({ step: 'sent', hash })
    } catch (error) {
      show({ step: 'idle', problem: toWalletError(error).problem })
    }
  }

  watchWallets(window, (found) => {
    wallets = found
    const [first] = found
    const place = element.closest<HTMLElement>('.ready')
    if (first && place) showFees(askHex, first.provider, place).catch(() => undefined)
  })
  show({})
}

for (const element of document.querySelectorAll<HTMLElement>('[data-island="send"]')) {
  const props: SendProps = JSON.parse(element.dataset.props ?? '')
  mountSend(element, props)
}
