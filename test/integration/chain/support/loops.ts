import type { TestChain } from '../../../support/test-chain.ts'
import { TOKEN } from '../../../support/world.ts'
import { at, type Deployed, deploy, encode } from './payments.ts'

/** A call within a transaction: to whom, with how many wei, and its data. */
export type Call = readonly [to: string, wei: bigint, data: string]

export type Loops = Awaited<ReturnType<typeof createLoops>>

/** A lender with all money of the test token, and a campaign's account that does what it is bid. */
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
    /** A call in which the account makes others. */
    asAccount: (...calls: readonly Call[]): Call => run(account, calls),
    /** Has the lender make calls, in one transaction. */
    lend: (calls: readonly Call[], wei = 0n, by = 2) => lender.call(by, 'run', [calls], wei),
    /** Moves the test token from whoever calls. */
    pay: (to: string, units: bigint, token = TOKEN): Call => [
      token,
      0n,
      encode('token', 'transfer', [to, units]),
    ],
  }
}

/** In base units: a billion. */
export const LENT = 10n ** 15n
