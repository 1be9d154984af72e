import { randomUUID } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import type { Campaign, Milestone } from '../../../db/schema/campaigns.ts'
import { campaignHash, escrowAddress } from '../../../escrow/address.ts'
import { checkTerms, type EscrowTerms, packTerms, unpackTerms } from '../../../escrow/terms.ts'
import { inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import { requiredVerifiers } from '../../shared/index.ts'
import { readEscrowTime } from './escrow-time.ts'
import { refuseTerms, ruleOf } from './refuse-terms.ts'
import type { EscrowInput } from './schemas.ts'

const DAY_SECONDS = 86_400
const DEFAULT_ACTIVATION_SECONDS = 7 * DAY_SECONDS
/** Five years with two leap days. Without verifiers and creator, donors wait until the expiry. */
const MAX_RELEASE_SECONDS = (5 * 365 + 2) * DAY_SECONDS
/** Amounts in the terms have 16 bytes. */
const MAX_TARGET = 2n ** 128n - 1n

/** The part of the terms that the creator chooses, and that does not follow from the campaign. */
export type EscrowChoices = Omit<EscrowTerms, 'campaign' | 'asset' | 'target' | 'milestones'>

/** The campaign of a planned escrow. Amounts are in base units, milestones in their order. */
type Funding = Pick<Campaign, 'creatorId' | 'chainId' | 'currencyId' | 'targetAmount'> & {
  campaignId: string
  milestones: readonly Pick<Milestone, 'amount'>[]
}

/**
 * Reads the creator's choices and fills in the defaults. `recipient` is the address in the input,
 * in lower case.
 *
 * @throws DomainError `invalid_input` for a text that is not an address
 */
export const choicesOf = (input: EscrowInput, recipient: string): EscrowChoices => {
  const deadline = secondsOf(input.deadline)
  const expiry = secondsOf(input.expiry)
  const verifiers = input.verifiers
    .map((text, index) => inField(`escrow.verifiers.${index}`, () => parseAddress(text)))
    .sort()
  return {
    recipient,
    creator: recipient,
    deadline,
    activateBy: input.activateBy
      ? secondsOf(input.activateBy)
      : Math.max(deadline, Math.min(deadline + DEFAULT_ACTIVATION_SECONDS, expiry)),
    expiry,
    quorum: input.quorum ?? Math.floor(verifiers.length / 2) + 1,
    surplusToRecipient: input.surplus === 'recipient',
    verifiers,
  }
}

/** The creator's choices in packed terms. */
export const choicesIn = (packed: string): EscrowChoices => {
  const { campaign: _, asset: __, target: ___, milestones: ____, ...choices } = unpackTerms(packed)
  return choices
}

/** Seconds since 1970. Earlier times become 0, which the contract refuses as a deadline. */
const secondsOf = (date: Date): number => Math.max(0, Math.floor(date.getTime() / 1_000))

/**
 * Makes the packed terms of a campaign's escrow, and computes its address. Nothing needs to be on
 * the chain for this. Returns the terms `stored` if they stay the same. Changed terms always get a
 * new address, even if the campaign had equal terms before: events of the old address are unknown.
 *
 * @throws DomainError `invalid_terms` for terms that the contract would refuse, for a deadline in
 *   the past, for an expiry that is too late, and for wallets that are not linked as required
 */
export const planEscrow = async (
  ctx: Context,
  funding: Funding,
  choices: EscrowChoices,
  stored?: string,
): Promise<{ account: string; terms: string }> => {
  const terms = termsOf(ctx, funding, choices)
  if (terms.target > MAX_TARGET) throw refuseTerms('targetAmount', 'must be below 2^128 base units')
  if (terms.verifiers.length > MAX_COUNT || terms.milestones.length > MAX_COUNT) {
    throw ruleOf(terms.verifiers.length > MAX_COUNT ? 9 : 12, terms)
  }
  const packed = packTerms(keepHash(terms, stored))
  const rule = checkTerms(packed)
  if (rule !== 0) throw ruleOf(rule, terms)
  const now = await readEscrowTime(ctx, funding)
  if (terms.deadline <= now) throw refuseTerms('escrow.deadline', 'must be in the future')
  if (terms.expiry > terms.deadline + MAX_RELEASE_SECONDS) {
    throw refuseTerms('escrow.expiry', 'must be at most 5 years after the deadline')
  }
  await refuseParties(ctx, funding, choices)
  return { account: escrowAddress(packed), terms: packed }
}

/** The terms store each count in one byte. */
const MAX_COUNT = 0xff

/** Returns the terms with the stored hash of their campaign, if nothing else has changed. */
const keepHash = (terms: EscrowTerms, stored: string | undefined): EscrowTerms => {
  if (stored === undefined) return terms
  const kept = { ...terms, campaign: unpackTerms(stored).campaign }
  return packTerms(kept) === stored ? kept : terms
}

const termsOf = (ctx: Context, funding: Funding, choices: EscrowChoices): EscrowTerms => {
  const { campaignId, chainId, currencyId, targetAmount, milestones } = funding
  // The target decides, because a campaign could be cut into many small milestones.
  const required = requiredVerifiers(ctx, { chainId, currencyId, amount: targetAmount })
  return {
    ...choices,
    campaign: campaignHash(ctx.settings.publicUrl, campaignId, randomUUID()),
    asset: ctx.settings.assets.byId(currencyId).address ?? '0x0',
    target: BigInt(targetAmount),
    milestones: milestones.map(({ amount }) => ({ amount: BigInt(amount), required })),
  }
}

/**
 * Refuses terms whose recipient is not a wallet of the creator, or whose verifiers are not wallets
 * of different users with the role `verifier`. A contract wallet counts on its own chain only.
 *
 * @throws DomainError `invalid_terms`
 */
const refuseParties = async (
  ctx: Context,
  { creatorId, chainId }: Pick<Campaign, 'creatorId' | 'chainId'>,
  { recipient, verifiers }: Pick<EscrowTerms, 'recipient' | 'verifiers'>,
): Promise<void> => {
  const wallets = await ctx.sql<{ address: string; userId: string; isVerifier: boolean }[]>`
    select wallet.address, wallet.user_id, 'verifier' = any(app_user.roles) as is_verifier
    from wallet join app_user on app_user.id = wallet.user_id
    where wallet.address = any(${[recipient, ...verifiers]}) and app_user.deleted_at is null
      and not wallet.before_reset
      and holds_on(wallet, ${chainId})`
  const walletOf = new Map(wallets.map((wallet) => [wallet.address, wallet]))
  if (walletOf.get(recipient)?.userId !== creatorId) {
    throw refuseTerms('escrow.recipient', 'must be a wallet that the creator has linked')
  }
  const users = new Set<string>()
  for (const verifier of verifiers) {
    const { userId, isVerifier } = walletOf.get(verifier) ?? {}
    if (userId === undefined || !isVerifier) {
      throw refuseTerms('escrow.verifiers', `must be linked wallets of verifiers: not ${verifier}`)
    }
    if (userId === creatorId) {
      throw refuseTerms('escrow.verifiers', `must not be the creator's: not ${verifier}`)
    }
    if (users.has(userId)) {
      throw refuseTerms('escrow.verifiers', `must belong to different users: not ${verifier}`)
    }
    users.add(userId)
  }
}
