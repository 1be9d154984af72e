import { parseLedgerAccount } from '../../kernel/address.ts'
import type { Asset } from '../../kernel/assets.ts'
import { DomainError, inField } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type BaseUnits, parseUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import type { CreateCampaign } from './schemas.ts'

/**
 * Reads a ledger account; one that names no chain is on `usualChain`, or on the deployment's first.
 * Throws DomainError `invalid_input` for what is no account, `unknown_chain`.
 */
export const accountOf = (
  ctx: Context,
  text: string,
  usualChain?: number,
): { address: string; chainId: number } => {
  const { address, chainId } = inField('ledgerAccount', () => parseLedgerAccount(text))
  const { chainIds } = ctx.settings.assets
  const chosen = chainId ?? usualChain ?? chainIds[0]
  if (chosen === undefined || !chainIds.includes(chosen)) {
    throw new DomainError('unknown_chain', 'This chain is not one that the service follows.')
  }
  return { address, chainId: chosen }
}

/**
 * Milestones as rows, each with what must be raised until it is reached, in the order given.
 * Throws DomainError `invalid_amount`, `invalid_input` where they amount to more than the target.
 */
export const milestoneRows = (
  ctx: Context,
  milestones: CreateCampaign['milestones'],
  currency: Asset,
  target: BaseUnits,
) => {
  let cumulative = 0n
  const rows = milestones.map((milestone, position) => {
    const amount = inField(`milestones.${position}.amount`, () =>
      parseUnits(milestone.amount, currency.decimals),
    )
    cumulative += amount
    return {
      id: newId(ctx.clock.now().getTime()),
      position,
      title: milestone.title ?? null,
      description: milestone.description,
      amount: amount.toString(),
      cumulative: cumulative.toString(),
      verification_docs: milestone.verificationDocs ?? [],
    }
  })
  if (cumulative > target) throw aboveTarget()
  return rows
}

export const aboveTarget = () =>
  new DomainError('invalid_input', 'The milestones amount to more than the target.', [
    { path: 'milestones', message: 'amount to more than the target' },
  ])

/** Throws DomainError `invalid_input` for an end that is over already. */
export const refusePast = (ctx: Context, endsAt: Date | null | undefined): void => {
  if (!endsAt || endsAt > ctx.clock.now()) return
  throw new DomainError('invalid_input', 'The end must be in the future.', [
    { path: 'endsAt', message: 'must be in the future' },
  ])
}

export const accountInUse = () =>
  new DomainError(
    'account_in_use',
    'This account already receives the donations of another open campaign.',
  )

/** postgres.js takes JSON values, which `undefined` is not. */
export const locationJson = (location: NonNullable<CreateCampaign['location']>) => ({
  country: location.country ?? null,
  region: location.region ?? null,
  coordinates: location.coordinates ?? null,
})
