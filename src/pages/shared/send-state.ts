import type { Call, WalletChain } from './payment.ts'
import type { WalletProblem } from './wallet-problem.ts'

type SendProblem = WalletProblem | 'no-wallet' | 'wrong-account'

type SendTexts = {
  send: string
  choose: string
  browserWallet: string
  /** Shown while the wallet asks its owner. */
  working: string
  sent: string
  again: string
  problems: Record<SendProblem, string>
}

/** A ready transaction for the wallet of the visitor. */
export type SendProps = {
  chain: WalletChain
  /** Sent one after the other. */
  calls: readonly Call[]
  /** The only account that may send it; null if any account may. */
  from: string | null
  texts: SendTexts
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
