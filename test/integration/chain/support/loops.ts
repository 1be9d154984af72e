import type { TestChain } from '../../../support/test-chain.ts'
import { TOKEN } from '../../../support/world.ts'
import { at, type Deployed, deploy, encode } from './payments.ts'

/** A call within a transaction: its recipient, its value in wei, and its data. */
export type Call = readonly [to: string, wei: bigint, data: string]

export type Loops = Awaited<ReturnType<typeof createLoops>>

/**
 * Deploys two contracts: a lender that holds a billion test tokens, and an account that runs any
 * calls.
 */
export const createLoops = async (chain: TestChain) => {
  const lender = await deploy(chain, 'multicall')
  const account = await deploy(chain, 'multicall')
  await at(chain, 'token', TOKEN).call(1, 'transfer', [lender.address, LENT])
  await chain.mine()
  const run = (by: Deployed, calls: readonly Call[]): Call => [
    by.address,
    0n,
    encode('multicall', 'run', [calls]),
  ]
  return {
    lender,
    account,
    /** Encodes a call that lets the account run these calls. */
    asAccount: (...calls: readonly Call[]): Call => run(account, calls),
    /** Lets the lender run these calls in one transaction. */
    lend: (calls: readonly Call[], wei = 0n, by = 2) => lender.call(by, 'run', [calls], wei),
    /** Encodes a transfer of a token from the caller to `to`. */
    pay: (to: string, units: bigint, token = TOKEN): Call => [
      token,
      0n,
      encode('token', 'transfer', [to, units]),
    ],
  }
}

/** The tokens of the lender in base units: a billion. */
export const LENT = 10n ** 15n
