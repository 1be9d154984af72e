import type { Context } from '../../../db/context.ts'
import {
  activateCall,
  type Call,
  cancelCall,
  closeCall,
  deployCall,
  releaseSurplusCall,
} from '../../../escrow/calls.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import { readEscrowMoney } from './escrow-money.ts'
import { type EscrowState, readEscrowState } from './escrow-state.ts'
import { readEscrowTime } from './escrow-time.ts'
import { type CampaignEscrowView, toCampaignEscrow } from './escrow-view.ts'
import { type ReadyTransaction, readyTransaction } from './ready-transaction.ts'
import { type Escrow, requireEscrow } from './require-escrow.ts'

/** The names of transactions that need no signature of a verifier. */
export const ESCROW_ACTIONS = ['deploy', 'activate', 'close', 'cancel', 'releaseSurplus'] as const
type EscrowAction = (typeof ESCROW_ACTIONS)[number]

/** An escrow with its state at the newest settled block. Amounts are decimal text. */
export type EscrowFacts = Omit<CampaignEscrowView, 'deployment'> &
  Pick<EscrowState, 'state' | 'reason' | 'releasedMilestones' | 'rounds'> & {
    campaignId: string
    chainId: number
    account: string
    currency: string
    /** The decimals of the currency. */
    decimals: number
    /** When a proof showed the code of factory, implementation and escrow. */
    codeProvenAt: Date | null
    /** The balance after the block of all amounts; null before the chain is followed. */
    balance: { value: string; block: number } | null
    released: string
    refunded: string
    pool: string | null
    total: string | null
  }

/** The facts of an escrow, and the transactions that may be sent now. */
export type EscrowView = EscrowFacts & {
  transactions: (ReadyTransaction & { action: EscrowAction; note: string })[]
}

/**
 * Reads the escrow of a campaign, and makes the transactions that may be sent now. Must run outside
 * a transaction of the database, because it calls nodes.
 *
 * @throws DomainError `not_found`, `not_escrowed`
 */
export const getEscrow = async (ctx: Context, campaignId: string): Promise<EscrowView> => {
  const stored = await requireEscrow(ctx, campaignId)
  // Reads the state once for all transactions, so that the answer does not contradict itself.
  const { chainId, account: address } = stored
  const deployed = stored.deployed || (await ctx.contracts.hasCode({ chainId, address })) === true
  const escrow = { ...stored, deployed }
  const state = await readEscrowState(ctx, escrow)
  const now = await readEscrowTime(ctx, escrow)
  const facts = await factsOf(ctx, escrow, state)
  return { ...facts, transactions: await readyNow(ctx, escrow, state, now) }
}

/**
 * Reads the escrow of a campaign from the database alone.
 *
 * @throws DomainError `not_found`, `not_escrowed`
 */
export const getEscrowFacts = async (ctx: Context, campaignId: string): Promise<EscrowFacts> => {
  const escrow = await requireEscrow(ctx, campaignId)
  const state = await readEscrowState(ctx, escrow)
  return factsOf(ctx, escrow, state)
}

const factsOf = async (ctx: Context, escrow: Escrow, state: EscrowState): Promise<EscrowFacts> => {
  const { block, held, released, refunded } = await readEscrowMoney(ctx, escrow)
  const currency = ctx.settings.assets.byId(escrow.currencyId)
  const decimal = (amount: bigint) => formatUnits(amount, currency.decimals)
  const decimalOrNull = (amount: bigint | null) => (amount === null ? null : decimal(amount))
  const { deployment: _, ...view } = toCampaignEscrow(escrow, currency.decimals)
  return {
    campaignId: escrow.campaignId,
    chainId: escrow.chainId,
    account: toChecksumAddress(escrow.account),
    currency: currency.symbol,
    decimals: currency.decimals,
    ...view,
    codeProvenAt: escrow.codeProvenAt,
    state: state.state,
    reason: state.reason,
    balance: block === null ? null : { value: decimal(held), block },
    released: decimal(released),
    refunded: decimal(refunded),
    pool: decimalOrNull(state.pool),
    total: decimalOrNull(state.total),
    releasedMilestones: state.releasedMilestones,
    rounds: state.rounds,
  }
}

type Possible = { action: EscrowAction; calls: Call[]; from?: string; note: string }

/**
 * The transactions that state and time allow. Leaves out a transaction if a node says that it would
 * fail.
 */
const readyNow = async (
  ctx: Context,
  escrow: Escrow,
  state: EscrowState,
  now: number,
): Promise<EscrowView['transactions']> => {
  // The terms of a draft can still change, which also changes the address of the escrow.
  if (escrow.status === 'draft') return []
  const ready = await Promise.all(
    possible(escrow, state, now).map(async ({ action, calls, from, note }) => {
      // `calls` already contains the deployment if it is needed, so `readyTransaction` must not add
      // it.
      const target = { ...escrow, deployed: true }
      const transaction = await readyTransaction(ctx, target, calls, from ? { from } : {})
      return { action, note, ...transaction }
    }),
  )
  return ready.filter(({ simulated }) => simulated?.ok !== false)
}

const possible = (escrow: Escrow, { state }: EscrowState, now: number): Possible[] => {
  const { account, terms, deployed } = escrow
  const deploy = deployed ? [] : [deployCall(escrow.packed)]
  const isRunning = state === 'funding' || state === 'active'
  const isOver =
    (state === 'funding' && now > terms.activateBy) ||
    (state === 'active' && now > terms.expiry) ||
    (state === 'done' && (!terms.surplusToRecipient || now > terms.expiry))
  const all: (Possible & { isPossible: boolean })[] = [
    {
      action: 'deploy',
      calls: deploy,
      note: 'Puts the contract on the chain. Any account may send it.',
      isPossible: !deployed,
    },
    {
      action: 'activate',
      calls: [...deploy, activateCall(account)],
      note: 'Activates the escrow when it holds the target. Any account may send it.',
      isPossible: state === 'funding' && now <= terms.activateBy,
    },
    {
      action: 'close',
      calls: [...deploy, closeCall(account)],
      note: 'Ends the escrow, so that donors get back what is left. Any account may send it.',
      isPossible: isOver,
    },
    {
      action: 'cancel',
      calls: [...deploy, cancelCall(account)],
      from: terms.creator,
      note: 'Ends the escrow, so that donors get back what is left. Only the recipient may send it.',
      isPossible: isRunning,
    },
    {
      action: 'releaseSurplus',
      calls: [releaseSurplusCall(account)],
      note: 'Pays what is left to the recipient. Any account may send it.',
      isPossible: state === 'done' && terms.surplusToRecipient,
    },
  ]
  return all.flatMap(({ isPossible, ...one }) => (isPossible ? [one] : []))
}
