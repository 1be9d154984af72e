import {
  type Block,
  blockMatters,
  type ChainClient,
  type Claims,
  emptyFinding,
  findInternalPayments,
  type InternalFinding,
  type InternalSource,
  leadsIn,
  outcomesOf,
  type Receipt,
  type Transfer,
  transfersIn,
  type WatchList,
} from '../../src/chain/index.ts'
import type { Observed, ObservedTransfer } from '../../src/domain/chain/index.ts'
import type { Asset, AssetCatalogue } from '../../src/kernel/assets.ts'
import type { Log } from '../../src/kernel/log.ts'
import { NATIVE_POSITION } from '../../src/kernel/log-position.ts'

const NOTHING_HIDDEN: InternalFinding = emptyFinding()

/**
 * What verified blocks hold for campaigns: their transfers, and what claimed transactions did.
 * Receipts are asked for in one batch, and only for blocks that matter. Nodes are asked for more
 * only where one of these may hide a payment by calls (see leadsIn).
 */
export const scanBlocks = async (
  client: Pick<ChainClient, 'chainId' | 'receipts'> & InternalSource,
  assets: AssetCatalogue,
  blocks: readonly Block[],
  watch: WatchList,
  claims: Claims,
  log?: Log,
): Promise<Observed> => {
  const observed: Required<Observed> = { transfers: [], transactions: [], unproven: [] }
  const matters = blocks.filter((block) => blockMatters(block, watch, claims))
  if (matters.length === 0) return observed
  const assetOf = assetsByToken(assets, client.chainId)
  const receiptsOf = await client.receipts(matters)
  for (const block of matters) {
    const receipts = receiptsOf.get(block.hash) ?? []
    const seen = transfersIn(block, receipts, watch)
    const visible = [...seen.transfers, ...seen.returned]
    const leads = leadsIn(block, receipts, claims, watch, visible)
    const hidden =
      leads.size === 0
        ? NOTHING_HIDDEN
        : await findInternalPayments(client, {
            ...{ block, receipts, leads },
            ...{ watched: watch.accounts, log },
          })
    const transfers = [
      ...seen.transfers.flatMap((one) => observedTransfers(block, one, sourceOf(one), assetOf)),
      ...hidden.transfers.flatMap((one) => observedTransfers(block, one, one.source, assetOf)),
    ]
    const returned = [...seen.returned, ...hidden.returned]
    const found = { transfers, returned, unproven: hidden.unproven }
    addTo(observed, block, receipts, found, claims, watch)
  }
  return observed
}

/** Transfers as the domain records them; none for a token that is no asset of this deployment. */
export const observedTransfers = (
  block: Block,
  { token, ...transfer }: Transfer,
  source: ObservedTransfer['source'],
  assetOf: ReadonlyMap<string | null, Asset>,
): ObservedTransfer[] => {
  const asset = assetOf.get(token)
  return asset ? [{ ...placeOf(block), ...transfer, source, assetId: asset.id }] : []
}

type Found = Pick<InternalFinding, 'returned' | 'unproven'> & {
  transfers: readonly ObservedTransfer[]
}

const addTo = (
  observed: Required<Observed>,
  block: Block,
  receipts: readonly Receipt[],
  { transfers, returned, unproven }: Found,
  claims: Claims,
  watch: WatchList,
): void => {
  observed.transfers.push(...transfers)
  const paying = new Set(transfers.map((one) => one.txHash))
  const counted = new Set(transfers.map(keyOf))
  const gone = returned.filter((one) => !counted.has(keyOf(one)))
  for (const outcome of outcomesOf(block, receipts, claims, watch)) {
    if (outcome.status === 'succeeded' && !paying.has(outcome.txHash)) {
      if (unproven.has(outcome.txHash)) observed.unproven.push(outcome.txHash)
      // Without proof it cannot be said that the transaction paid nobody.
      if (outcome.valueUnproven || unproven.has(outcome.txHash)) continue
    }
    observed.transactions.push({
      ...placeOf(block),
      txHash: outcome.txHash,
      reverted: outcome.status === 'reverted',
      unknownTokenRecipients: [...new Set(outcome.unknownTokens.map((token) => token.recipient))],
      returned: gone
        .filter((one) => one.txHash === outcome.txHash)
        .map(({ recipient, position }) => ({ recipient, position })),
    })
  }
}

const keyOf = ({ txHash, position, recipient }: Omit<Transfer, 'token'>): string =>
  `${txHash} ${position} ${recipient}`

const placeOf = (block: Block) => ({
  blockNumber: block.number,
  blockHash: block.hash,
  minedAt: new Date(block.timestamp * 1_000),
})

/** Payments by calls that the chain itself logs (EIP-7708) are logs like the others. */
const sourceOf = ({ position }: Transfer): ObservedTransfer['source'] =>
  position === NATIVE_POSITION ? 'value' : 'log'

export const assetsByToken = (assets: AssetCatalogue, chainId: number): Map<string | null, Asset> =>
  new Map(
    assets.all
      .filter((asset) => asset.chainId === chainId)
      .map((asset) => [asset.address, asset] as const),
  )
