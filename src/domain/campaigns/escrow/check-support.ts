import type { Context } from '../../../db/context.ts'
import {
  FACTORY,
  FACTORY_CODE_HASH,
  IMPLEMENTATION,
  IMPLEMENTATION_CODE_HASH,
} from '../../../escrow/address.ts'
import { deployCall } from '../../../escrow/calls.ts'
import { SAMPLE_TERMS } from '../../../escrow/sample-terms.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { Asset } from '../../../kernel/money/assets.ts'
import { isWorthMoreThan } from '../../shared/index.ts'

/**
 * Refuses a new escrow that this deployment does not offer: escrows are off, the currency is not a
 * token for escrows, or the target is too high. `target` is in base units.
 *
 * @throws DomainError `escrow_unsupported`, `escrow_target_too_high`
 */
export const refuseUnsupported = (
  ctx: Context,
  { chainId, currency, target }: { chainId: number; currency: Asset; target: bigint },
): void => {
  const { assets, escrow, escrowMaxTarget, defaultCurrency } = ctx.settings
  if (!escrow) {
    throw unsupported('This deployment takes no new campaigns with an escrow. Leave out `escrow`.')
  }
  if (!currency.escrow) {
    const tokens = assets.accepted(chainId).filter((asset) => asset.escrow)
    const names = tokens.map(({ symbol }) => symbol).join(', ') || 'no token'
    throw unsupported(`An escrow cannot hold ${currency.symbol}: on this chain it holds ${names}.`)
  }
  const amount = { chainId, currencyId: currency.id, amount: target.toString() }
  if (escrowMaxTarget !== undefined && isWorthMoreThan(ctx, amount, escrowMaxTarget)) {
    throw new DomainError(
      'escrow_target_too_high',
      `The target of a campaign with an escrow is at most ${escrowMaxTarget} ${defaultCurrency}.`,
    )
  }
}

/**
 * Refuses a chain on which the escrow factory or its implementation has no code, or other code, and
 * a chain that fails to run an escrow in a simulation. Without a simulation, does not refuse. Must
 * run outside a transaction, because it calls nodes.
 *
 * @throws DomainError `escrow_unsupported`; `unavailable` if no node answers
 */
export const checkFactory = async (ctx: Context, chainId: number): Promise<void> => {
  const addresses = [FACTORY, IMPLEMENTATION]
  const hashes = await ctx.contracts.codeHashes({ chainId, addresses })
  if (!hashes) {
    throw new DomainError(
      'unavailable',
      'The chain of the escrow cannot be read now. Try again later.',
    )
  }
  if (hashes[0] !== FACTORY_CODE_HASH || hashes[1] !== IMPLEMENTATION_CODE_HASH) {
    throw unsupported('The escrow factory is not on this chain. The operator can deploy it.')
  }
  const run = await ctx.contracts.simulate({ chainId, calls: [deployCall(SAMPLE_TERMS)] })
  if (run?.ok === false) {
    throw unsupported('This chain cannot run an escrow, which needs the Cancun fork.')
  }
}

const unsupported = (message: string) => new DomainError('escrow_unsupported', message)
