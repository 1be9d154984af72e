import type { AccountState } from '../../verifier/trie.ts'
import type { ChainClient } from '../client-interface.ts'

/** At most this number of account states is kept: enough for many accounts at several blocks. */
const MAX_REMEMBERED = 20_000

/**
 * Caches proven account states by block, because a reconciliation reads the same states again:
 * neighbouring ranges share a block, and balances are compared later.
 */
export const rememberStates = (client: ChainClient): ChainClient => {
  const remembered = new Map<string, AccountState>()
  return {
    ...client,
    async accountProofs(block, accounts) {
      const keyOf = (account: string) => `${block.hash} ${account}`
      const unknown = accounts.filter((account) => !remembered.has(keyOf(account)))
      const proven = unknown.length === 0 ? [] : await client.accountProofs(block, unknown)
      const fresh = new Map(unknown.map((account, index) => [account, proven[index] ?? null]))
      if (remembered.size + fresh.size > MAX_REMEMBERED) remembered.clear()
      const states = accounts.map(
        (account) => remembered.get(keyOf(account)) ?? fresh.get(account) ?? null,
      )
      for (const [account, state] of fresh) if (state) remembered.set(keyOf(account), state)
      return states
    },
  }
}
