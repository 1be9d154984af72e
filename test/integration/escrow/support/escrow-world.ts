import { id } from 'ethers'
import { encodeAddress, selectors } from '../../../../contracts-abi/index.ts'
import type { ReadyTransaction } from '../../../../src/domain/campaigns/index.ts'
import { escrowAddress } from '../../../../src/escrow/address.ts'
import { type EscrowTerms, packTerms } from '../../../../src/escrow/terms.ts'
import type { EscrowEvent } from '../../../../src/kernel/escrow-event.ts'
import { newId } from '../../../../src/kernel/formats/ids.ts'
import { blockHash, CHAIN_ID, minedAt, txHash } from '../../../support/chain-facts.ts'
import type { TestChain } from '../../../support/test-chain.ts'
import { keyOf } from '../../../support/test-wallets.ts'
import { TOKEN, type WorldOptions } from '../../../support/world.ts'
import { createTestApi } from '../../http/support/api.ts'
import { withMilestones } from '../../milestones/support/verified-world.ts'

const DAY_SECONDS = 86_400
export const RECIPIENT = keyOf(7).address.toLowerCase()

/** The verifiers in the terms are the addresses of the keys 1 to 3. */
export const VERIFIERS = [1, 2, 3].map((index) => keyOf(index).address.toLowerCase())

type Options = WorldOptions & {
  /** The chain of the escrow's campaign. Without a chain, no node can be asked. */
  chain?: TestChain
  verifiers?: string[]
  /** The number of approvals that the milestones of 30 and of 40 USDC need. */
  required?: [number, number]
  terms?: Partial<EscrowTerms>
}

/** An API with a campaign of 70 USDC. The campaign's account is an escrow that is not deployed. */
export const createEscrowWorld = async ({
  chain,
  verifiers = VERIFIERS,
  required = [2, 1],
  terms: changes,
  ...options
}: Options = {}) => {
  const api = await createTestApi({ ...options, ...(chain ? { rpcUrl: chain.url } : {}) })
  const now = Math.floor(Math.max(api.ctx.clock.now().getTime(), minedAt(0).getTime()) / 1_000)
  const terms: EscrowTerms = {
    campaign: id('a campaign'),
    recipient: RECIPIENT,
    creator: keyOf(6).address.toLowerCase(),
    asset: TOKEN,
    target: 70_000_000n,
    deadline: now + 10 * DAY_SECONDS,
    activateBy: now + 20 * DAY_SECONDS,
    expiry: now + 30 * DAY_SECONDS,
    quorum: 2,
    surplusToRecipient: true,
    verifiers: verifiers.toSorted(),
    milestones: [30_000_000n, 40_000_000n].map((amount, index) => ({
      amount,
      required: required[index] ?? 1,
    })),
    ...changes,
  }
  const packed = packTerms(terms)
  const account = escrowAddress(packed)
  const world = await withMilestones(api, { account, milestones: ['30', '40'], target: '70' })
  const { ctx, campaignId, milestoneIds } = world
  await ctx.sql`
    insert into campaign_escrow (campaign_id, terms) values (${campaignId}, ${packed})`
  let events = 0
  return {
    ...world,
    ...{ terms, packed, account },
    /** Reads `GET /api/milestones/:id/release` or `…/rejection`. */
    async read(what: 'release' | 'rejection', milestone = 0) {
      const path = `/api/milestones/${milestoneIds[milestone]}/${what}`
      const { status, body } = await api.ask('GET', path)
      return { status, code: body.code, error: body.error, ready: body as unknown as Ready }
    },
    /** Sets the time of the newest block, in Unix seconds. */
    async setChainTime(seconds: number): Promise<void> {
      await ctx.sql`
        update chain_block set mined_at = to_timestamp(${seconds})
        where chain_id = ${CHAIN_ID}
          and number = (select max(number) from chain_block where chain_id = ${CHAIN_ID})`
    },
    /** Stores a final event of the escrow. Only the escrow's state changes, not the ledger. */
    async settled({ kind, fields }: EscrowEvent): Promise<void> {
      events += 1
      await ctx.sql`
        insert into escrow_event
          (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number,
           block_hash, mined_at, settled_at)
        values (${newId()}, ${CHAIN_ID}, ${account}, ${campaignId}, ${txHash(`event ${events}`)}, 0,
                ${kind}, ${ctx.sql.json(fields)}, ${events}, ${blockHash(events)},
                ${minedAt(events)}, now())`
    },
  }
}

export type EscrowWorld = Awaited<ReturnType<typeof createEscrowWorld>>

/** A ready transaction in its JSON form. */
export type Ready = Omit<ReadyTransaction, 'validUntil'> & { validUntil: string | null }

/** Sends the calls of a ready transaction one after the other. Returns their receipts. */
export const sendReady = async (chain: TestChain, from: number, { sendCalls }: Ready) => {
  const receipts: Receipt[] = []
  for (const { to, data } of sendCalls.calls) {
    const { hash } = await chain.send(await chain.sign(from, { to, data, gasLimit: 1_000_000n }))
    await chain.mine()
    receipts.push(await chain.call<Receipt>('eth_getTransactionReceipt', [hash]))
  }
  return receipts
}
type Receipt = {
  status: string
  from: string
  logs: { address: string; topics: string[]; data: string }[]
}

/** Pays USDC from a development account to the escrow by a plain transfer. */
export const pay = async (
  chain: TestChain,
  { account }: Pick<EscrowWorld, 'account'>,
  usdc: bigint,
): Promise<void> => {
  await chain.send(await chain.signToken(4, account, usdc * 1_000_000n))
  await chain.mine()
}

export const balanceOf = async (chain: TestChain, account: string): Promise<bigint> => {
  const data = encodeAddress(selectors.balanceOf, account)
  return BigInt(await chain.call<string>('eth_call', [{ to: TOKEN, data }, 'latest']))
}
