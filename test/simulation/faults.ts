import type { Fault } from '../support/fault-proxy.ts'
import type { FaultProxy } from '../support/faults/proxy.ts'
import { TOKEN } from '../support/world.ts'
import type { FaultName } from './script.ts'

const FORGED_AMOUNT = 123_456_789n

/**
 * Sets the fault with this name. A forged payment goes to `account`, and must never be credited.
 */
export const setFault = (
  proxy: FaultProxy,
  name: FaultName,
  head: number,
  account: string,
): void => {
  proxy.set(faultOf(name, head, account))
}

const faultOf = (name: FaultName, head: number, account: string): Fault => {
  switch (name) {
    case 'rate-limit':
      return { kind: 'rate-limit', retryAfterS: 0 }
    case 'unavailable':
      return { kind: 'unavailable' }
    case 'cut-off':
      return { kind: 'cut-off' }
    case 'stale':
      return { kind: 'stale', at: Math.max(0, head - 3) }
    case 'empty-receipts':
      return { kind: 'no-receipts' }
    case 'forged-receipt':
      return { kind: 'forged-receipt', change: 'amount' }
    case 'forged-log':
      return { kind: 'forged-log', token: TOKEN, to: account, amount: FORGED_AMOUNT }
    case 'forged-branch':
      return {
        kind: 'forged-branch',
        from: Math.max(1, head - 2),
        pay: { to: account, amount: FORGED_AMOUNT, token: TOKEN },
      }
    case 'wrong-chain':
      return { kind: 'wrong-chain', chainId: 1 }
    case 'backwards':
      return { kind: 'backwards', blocks: 5 }
  }
}
