import { createHash } from 'node:crypto'
import type { Context } from '../../src/db/context.ts'
import { applyBlocks, type Observed, openChain } from '../../src/domain/blocks/index.ts'
import { TOKEN } from './world.ts'

/** Facts of an imagined chain, for tests of the domain, which gets only proven facts. */
export const CHAIN_ID = 31337
export const USDC_ASSET = `eip155:${CHAIN_ID}/erc20:${TOKEN}`
export const ETH_ASSET = `eip155:${CHAIN_ID}/slip44:60`

const hash = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`

export const txHash = (name: string): string => hash(`tx ${name}`)
export const address = (name: string): string => hash(`address ${name}`).slice(0, 42)
export const blockHash = (number: number, branch = 'main'): string => hash(`${branch} ${number}`)
export const minedAt = (number: number): Date => new Date(1_800_000_000_000 + number * 12_000)

/** Starts following the chain at block 0 of the main branch. */
export const startChain = (ctx: Context) =>
  openChain(ctx, CHAIN_ID, {
    number: 0,
    hash: blockHash(0),
    parentHash: blockHash(-1),
    minedAt: minedAt(0),
  })

export type Payment = {
  tx: string
  to: string
  from?: string
  usdc?: bigint
  wei?: bigint
  position?: number
  /** If false, no donation claims the transaction, so only its transfer is observed. */
  claimed?: boolean
}

/** The transfers and transactions in block `number`, in the form of a scan's result. */
export const observed = (number: number, payments: Payment[], branch = 'main'): Observed => {
  const place = {
    blockNumber: number,
    blockHash: blockHash(number, branch),
    minedAt: minedAt(number),
  }
  const claimed = payments.filter((payment) => payment.claimed !== false)
  return {
    transfers: payments
      .filter((payment) => payment.usdc !== undefined || payment.wei !== undefined)
      .map((payment) => ({
        ...place,
        txHash: txHash(payment.tx),
        position: payment.position ?? (payment.wei === undefined ? 0 : -1),
        assetId: payment.wei === undefined ? USDC_ASSET : ETH_ASSET,
        sender: payment.from ?? address('donor'),
        recipient: payment.to,
        amount: payment.usdc ?? payment.wei ?? 0n,
        source: payment.wei === undefined ? ('log' as const) : ('value' as const),
      })),
    transactions: [...new Set(claimed.map((payment) => payment.tx))].map((tx) => ({
      ...place,
      txHash: txHash(tx),
      reverted: false,
      unknownTokenRecipients: [],
      returned: [],
    })),
  }
}

/** Applies one block on top of its parent. */
export const applyBlock = async (
  ctx: Context,
  number: number,
  payments: Payment[],
  branch = 'main',
  parentBranch = branch,
): Promise<void> => {
  const after = {
    number: number - 1,
    hash: blockHash(number - 1, number === 1 ? 'main' : parentBranch),
  }
  const applied = await applyBlocks(ctx, {
    chainId: CHAIN_ID,
    after,
    blocks: [
      {
        number,
        hash: blockHash(number, branch),
        parentHash: after.hash,
        minedAt: minedAt(number),
      },
    ],
    observed: observed(number, payments, branch),
    headNumber: number,
  })
  if (!applied) throw new Error(`block ${number} was not applied`)
}
