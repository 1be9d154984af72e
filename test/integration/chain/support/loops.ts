import type { TestChain } from '../../../support/test-chain.ts'
import { TOKEN } from '../../../support/world.ts'
import { at, type Deployed, deploy, encode } from './payments.ts'

/** A call within a transaction: its recipient, its value in wei, and its data. */
export type Call = readonly [to: string, wei: bigint, data: string]

export type Loops = Awaited<ReturnType<typeof createLoops>>

/** A lender that holds a billion of the test token, and an account that runs any call. */
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
    /** A transfer of a token by the caller. */
    pay: (to: string, units: bigint, token = TOKEN): Call => [
      token,
      0n,
      encode('token', 'transfer', [to, units]),
    ],
  }
}

/** In base units: a billion. */
export const LENT = 10n ** 15n
