import { Interface, id } from 'ethers'
import { expect } from 'vitest'
import { encodeAddress, selectors } from '../../../../contracts-abi/index.ts'
import { testContracts } from '../../../../contracts-abi/test-contracts.ts'
import { checkLedger } from '../../../../src/domain/books/index.ts'
import { escrowAddress } from '../../../../src/escrow/address.ts'
import * as calls from '../../../../src/escrow/calls.ts'
import { type EscrowTerms, packTerms } from '../../../../src/escrow/terms.ts'
import {
  rejectionTypedData,
  releaseTypedData,
  returnsTypedData,
  type TransferReturn,
  terminationTypedData,
} from '../../../../src/escrow/typed-data.ts'
import type { TypedData } from '../../../../src/kernel/ports/signatures.ts'
import { syncChain } from '../../../../worker/chain/sync-chain.ts'
import { createChainSync } from '../../../support/chain-sync.ts'
import { eventTypes } from '../../../support/event-types.ts'
import { recordGift } from '../../../support/recorded-gift.ts'
import { encodeAddressAmount, type Signed, type TestChain } from '../../../support/test-chain.ts'
import { keyOf } from '../../../support/test-wallets.ts'
import {
  createTestCampaign,
  createUser,
  createWorld,
  TEST_CHAIN,
  TOKEN,
  type World,
} from '../../../support/world.ts'
import { signWith } from '../../milestones/support/verified-world.ts'
import { startFactoryChain } from './planned.ts'

const DAY_SECONDS = 86_400
const GAS = 6_000_000n
const APPROVE = '0x095ea7b3'

export const CREATOR = 6
export const RECIPIENT = keyOf(7).address.toLowerCase()
const VERIFIERS = [8, 9, 0]
  .map((index) => ({ index, address: keyOf(index).address.toLowerCase() }))
  .toSorted((a, b) => (a.address < b.address ? -1 : 1))

type Options = {
  terms?: Partial<EscrowTerms>
  /** The amount of each milestone in whole USDC. */
  milestones?: string[]
  /**
   * Deploys a second token, EURC with 6 decimals, which the service accepts too. Returns its
   * address.
   */
  secondToken?: (chain: TestChain) => Promise<string>
  /** The URLs from which the service reads the chain, for example of a proxy that lies. */
  through?: (chain: TestChain) => Promise<string[]>
  /** The world of the database. Default: a new world. */
  world?: World
}

/** A campaign of 70 USDC on a real chain. Its account is an escrow that is not deployed yet. */
export const createFollowedWorld = async ({
  terms: changes,
  milestones = ['30', '40'],
  secondToken,
  through = async ({ url }) => [url],
  world: given,
}: Options = {}) => {
  const chain = await startFactoryChain()
  const eurc = secondToken && { symbol: 'EURC', address: await secondToken(chain), decimals: 6 }
  const served = { ...TEST_CHAIN, tokens: [...TEST_CHAIN.tokens, ...(eurc ? [eurc] : [])] }
  const world = given ?? (await createWorld({ chains: [served] }))
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const block = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  const now = Number(block.timestamp)
  const terms: EscrowTerms = {
    campaign: id('a campaign'),
    recipient: RECIPIENT,
    creator: keyOf(CREATOR).address.toLowerCase(),
    asset: TOKEN,
    target: 70_000_000n,
    deadline: now + 10 * DAY_SECONDS,
    activateBy: now + 20 * DAY_SECONDS,
    expiry: now + 30 * DAY_SECONDS,
    quorum: 2,
    surplusToRecipient: true,
    verifiers: VERIFIERS.map(({ address }) => address),
    milestones: milestones.map((amount) => ({ amount: BigInt(amount) * 1_000_000n, required: 2 })),
    ...changes,
  }
  const packed = packTerms(terms)
  const account = escrowAddress(packed)
  const campaignId = await createTestCampaign(world.ctx, {
    ...{ creator, account, milestones },
    target: (terms.target / 1_000_000n).toString(),
  })
  await world.ctx.sql`
    insert into campaign_escrow (campaign_id, terms) values (${campaignId}, ${packed})`
  const sync = createChainSync(world.ctx, {
    ...served,
    ...{ name: 'test', rpc: await through(chain), startBlock: 0 },
  })
  const follow = () => syncChain(sync, new AbortController().signal)
  await follow()
  return {
    ...{ chain, world, sync, follow, creator, donor, campaignId, account, packed, terms },
    ...chainParts(chain, account, packed, terms),
    ...serviceParts(chain, world, campaignId, account, follow),
    /** Records a donation that claims a transaction. Returns the donation's id. */
    async record(signed: Signed, usdc: string): Promise<string> {
      return recordGift(world.as(donor), campaignId, signed, usdc)
    },
  }
}

export type FollowedWorld = Awaited<ReturnType<typeof createFollowedWorld>>

/** Sends transactions of the escrow to the pool, without mining them. */
const chainParts = (chain: TestChain, account: string, packed: string, terms: EscrowTerms) => {
  const domain = { chainId: TEST_CHAIN.id, escrow: account, campaign: terms.campaign }
  const send = async (index: number, { to, data }: { to: string; data: string }) =>
    chain.send(await chain.sign(index, { to, data, gasLimit: GAS }))
  const signed = (data: TypedData, signers: readonly number[]) =>
    Promise.all(
      signers.map(async (verifier) => ({
        verifier,
        data: await signWith(keyOf(VERIFIERS[verifier]?.index ?? 0))(data),
      })),
    )
  const releaseCall = async (milestone: number, round = 0, signers = [0, 1]) => {
    const { amount = 0n } = terms.milestones[milestone] ?? {}
    const evidenceHash = id('evidence')
    const validUntil = terms.expiry
    const data = releaseTypedData(domain, {
      ...{ milestone, round, amount, evidenceHash, validUntil },
      ...{ asset: terms.asset, recipient: terms.recipient },
    })
    const signatures = await signed(data, signers)
    return calls.releaseCall(account, { milestone, evidenceHash, validUntil, signatures })
  }
  return {
    send,
    releaseCall,
    deploy: () => send(1, calls.deployCall(packed)),
    /** Makes a plain transfer of this number of base units. */
    pay: async (index: number, units: bigint) =>
      chain.send(await chain.signToken(index, account, units)),
    /** Makes a donation that the contract records. */
    async donate(index: number, units: bigint, refundTo = keyOf(index).address): Promise<Signed> {
      const data = encodeAddressAmount(APPROVE, account, units)
      await send(index, { to: TOKEN, data })
      return send(index, calls.donateCall(account, { amount: units, refundTo }))
    },
    release: async (milestone: number, round = 0) => send(3, await releaseCall(milestone, round)),
    async reject(milestone: number, round = 0): Promise<Signed> {
      const evidenceHash = id('evidence')
      const data = rejectionTypedData(domain, { milestone, round, evidenceHash })
      const [signature = { verifier: 0, data: '0x' }] = await signed(data, [2])
      return send(3, calls.rejectCall(account, { milestone, evidenceHash, signature }))
    },
    cancel: () => send(CREATOR, calls.cancelCall(account)),
    async terminate(): Promise<Signed> {
      const reasonHash = id('reason')
      const ending = { reasonHash, validUntil: terms.expiry }
      const signatures = await signed(terminationTypedData(domain, ending), [0, 1])
      return send(3, calls.terminateCall(account, { ...ending, signatures }))
    },
    surplus: () => send(3, calls.releaseSurplusCall(account)),
    refund: (donor: string) => send(3, calls.refundCall(account, donor)),
    /** Returns these transfers, with the signatures of two verifiers. */
    async returnTransfers(...list: TransferReturn[]): Promise<Signed> {
      const returns = { list, validUntil: terms.expiry }
      const signatures = await signed(returnsTypedData(domain, returns), [0, 1])
      return send(3, calls.returnTransfersCall(account, { ...returns, signatures }))
    },
    /** Makes several calls in one transaction, by a contract between the sender and the escrow. */
    async batch(
      index: number,
      multicall: string,
      some: readonly { to: string; data: string }[],
    ): Promise<Signed> {
      const values = some.map(({ to, data }) => ({ to, value: 0n, data }))
      const name = new Interface(testContracts.multicall.abi)
      const [fragment] = name.fragments.flatMap((one) => (one.type === 'function' ? [one] : []))
      if (!fragment) throw new Error('The multicall has no function.')
      return send(index, {
        to: multicall,
        data: name.encodeFunctionData(fragment.format(), [values]),
      })
    },
    async passTime(seconds: number): Promise<void> {
      await chain.call('evm_increaseTime', [seconds])
      await chain.mine()
    },
  }
}

/** The return of the transfer in a transaction's first log. `amount` is in base units. */
export const returnOf = (
  { hash }: Signed,
  receiver: string,
  amount: bigint,
  asset = TOKEN,
): TransferReturn => ({ transaction: hash, position: 0, receiver, amount, asset })

/** Reads the state of the service, and compares it with the chain. */
const serviceParts = (
  chain: TestChain,
  { ctx }: World,
  campaignId: string,
  account: string,
  follow: () => Promise<unknown>,
) => {
  const balanceAt = async (holder: string, block: number | 'latest'): Promise<bigint> => {
    const at = typeof block === 'number' ? `0x${block.toString(16)}` : block
    const data = encodeAddress(selectors.balanceOf, holder)
    return BigInt(await chain.call<string>('eth_call', [{ to: TOKEN, data }, at]))
  }
  /** The balances of the campaign's ledger accounts in the campaign's currency. */
  const balances = async (): Promise<Record<string, bigint>> => {
    const rows = await ctx.sql<{ kind: string; units: string }[]>`
      select account.kind, sum(case
        when (account.kind in ('custody', 'paid')) = (entry.debit_account = account.id)
        then entry.amount else -entry.amount end)::text as units
      from ledger_account account
      join campaign on campaign.id = campaign_id and campaign.currency_id = account.asset_id
      join ledger_entry entry
        on entry.debit_account = account.id or entry.credit_account = account.id
      where account.campaign_id = ${campaignId} group by account.kind`
    return Object.fromEntries(rows.map(({ kind, units }) => [kind, BigInt(units)]))
  }
  /**
   * Fails if the books disagree, or if custody differs from the escrow's balance at the final
   * block.
   */
  const agree = async (): Promise<void> => {
    expect((await checkLedger(ctx.pool)).differences).toEqual([])
    const [state] = await ctx.sql<{ final: number }[]>`
      select least(finalized_number, cursor_number) as final from chain_state`
    const { custody = 0n, paid = 0n, released = 0n } = await balances()
    expect(custody).toBe(await balanceAt(account, state?.final ?? 0))
    expect(paid).toBe(released)
  }
  return {
    balances,
    agree,
    balanceAt,
    balanceOf: (holder: string) => balanceAt(holder, 'latest'),
    /** Mines a block with the given transactions. */
    async mine(sent?: Promise<unknown>): Promise<void> {
      await sent
      await chain.mine()
    },
    /**
     * Mines the given transactions, makes them final, and lets the service follow. The books must
     * agree.
     */
    async settle(sent?: Promise<unknown>): Promise<void> {
      await sent
      await chain.mine(3)
      await follow()
      await agree()
    },
    async mineAndFollow(blocks = 1): Promise<void> {
      await chain.mine(blocks)
      await follow()
    },
    async state() {
      const [campaign] = await ctx.sql<{ status: string; raised: string; donations: number }[]>`
        select status, raised, donations from campaign join campaign_total on campaign_id = id
        where id = ${campaignId}`
      const milestones = await ctx.sql<{ status: string }[]>`
        select status from milestone where campaign_id = ${campaignId} order by position`
      const donations = await ctx.sql<{ status: string; refundedAmount: string | null }[]>`
        select status, refunded_amount from donation order by created_at, id`
      return {
        campaign: campaign?.status,
        raised: campaign?.raised,
        milestones: milestones.map(({ status }) => status),
        donations: donations.map((row) =>
          row.refundedAmount === null ? row.status : `${row.status} ${row.refundedAmount}`,
        ),
      }
    },
    async events() {
      const rows = await ctx.sql<{ type: string; body: string }[]>`
        select type, event.body from event order by seq`
      return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data }))
    },
    eventTypes: () => eventTypes(ctx),
  }
}
