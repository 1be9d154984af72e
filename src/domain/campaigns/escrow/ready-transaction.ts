import type { Context } from '../../../db/context.ts'
import { type Call, deployCall } from '../../../escrow/calls.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { Simulation } from '../../../kernel/ports/contract-reader.ts'
import type { Escrow } from './require-escrow.ts'

/** A transaction that an account can sign and send without more data. */
export type ReadyTransaction = {
  chainId: number
  /** The first call. Addresses have an EIP-55 checksum. */
  to: string
  data: string
  value: '0'
  /** The only account that may send the transaction; absent if any account may. */
  from?: string
  /** All calls in their order, as the parameter of `wallet_sendCalls` (EIP-5792). */
  sendCalls: {
    version: '2.0.0'
    chainId: string
    atomicRequired: false
    calls: { to: string; data: string; value: '0x0' }[]
  }
  /**
   * After this time the contract refuses the transaction; null if the contract never refuses it for
   * its time.
   */
  validUntil: Date | null
  /** The result of all calls at the newest block; null if no node can simulate them. */
  simulated: Simulation | null
}

/**
 * Makes one transaction from at least one call to an escrow. Puts `deploy` before the calls while
 * the escrow has no code, and simulates all calls. Asks nodes, so it must run outside a transaction
 * of the database. Does not throw if no node answers.
 */
export const readyTransaction = async (
  ctx: Context,
  escrow: Pick<Escrow, 'chainId' | 'account' | 'packed' | 'deployed'>,
  calls: readonly Call[],
  options: { from?: string; validUntil?: Date | undefined } = {},
): Promise<ReadyTransaction> => {
  const { chainId, account } = escrow
  const isDeployed =
    escrow.deployed || (await ctx.contracts.hasCode({ chainId, address: account })) === true
  // If no node answered, `deploy` is also sent, because a second deployment does nothing.
  const all = isDeployed ? calls : [deployCall(escrow.packed), ...calls]
  const { from, validUntil = null } = options
  const simulated = await ctx.contracts.simulate({ chainId, calls: all, from })
  const sent = all.map(({ to, data }) => ({
    to: toChecksumAddress(to),
    data,
    value: '0x0' as const,
  }))
  const [first] = sent
  if (!first) throw new TypeError('A transaction needs at least one call.')
  return {
    chainId,
    to: first.to,
    data: first.data,
    value: '0',
    ...(from === undefined ? {} : { from: toChecksumAddress(from) }),
    sendCalls: {
      version: '2.0.0',
      chainId: `0x${chainId.toString(16)}`,
      atomicRequired: false,
      calls: sent,
    },
    validUntil,
    simulated,
  }
}
