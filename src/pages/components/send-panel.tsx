import { explorerLink } from '../shared/format.ts'
import type { Call, WalletChain } from '../shared/payment.ts'
import type { WalletProblem } from '../shared/wallet-problem.ts'
import type { EscrowTexts } from '../texts/escrow/en.ts'
import { Button } from './form.tsx'
import { Banner } from './states.tsx'
import { Hash } from './values.tsx'

type Props = SendProps & {
  state?: SendState
  onSend?: () => void
  onChoose?: (walletId: string) => void
}

/** Sends a transaction by a wallet of this browser. The server renders its first state. */
export const SendPanel = ({ texts: t, chain, state = NOT_SENT, onSend, onChoose }: Props) => {
  const { step, wallets, problem, hash } = state
  return (
    <>
      <div role="status">
        {problem && <Banner tone="warn">{t.problems[problem]}</Banner>}
        {step === 'working' && <Banner tone="info">{t.working}</Banner>}
        {step === 'sent' && hash && (
          <Banner tone="info">
            <p>{t.sent}</p>
            <p>
              <Hash value={hash} href={explorerLink(chain, 'tx', hash)} />
            </p>
          </Banner>
        )}
      </div>
      {step === 'idle' && (
        <Button kind="plain" type="button" onClick={onSend}>
          {problem ? t.again : t.send}
        </Button>
      )}
      {step === 'choosing' && (
        <>
          <p>{t.choose}</p>
          <p class="section-links">
            {wallets.map(({ id, name, icon }) => (
              <Button key={id} kind="plain" type="button" onClick={() => onChoose?.(id)}>
                {icon && <img src={icon} alt="" width="20" height="20" />}
                {name || t.browserWallet}
              </Button>
            ))}
          </p>
        </>
      )}
    </>
  )
}

type SendProblem = WalletProblem | 'no-wallet' | 'wrong-account'

/** A ready transaction for the wallet of the visitor. */
export type SendProps = {
  chain: WalletChain
  /** Sent one after the other. */
  calls: readonly Call[]
  /** The only account that may send it; null if any account may. */
  from: string | null
  texts: EscrowTexts['send']
}

export type SendState = {
  step: 'idle' | 'choosing' | 'working' | 'sent'
  /** The wallets of this browser, to choose from. */
  wallets: readonly { id: string; name: string; icon: string | null }[]
  problem: SendProblem | null
  /** The hash of the sent transaction. */
  hash: string | null
}

export const NOT_SENT: SendState = { step: 'idle', wallets: [], problem: null, hash: null }
