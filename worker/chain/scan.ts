import {
  type Block,
  type ChainClient,
  type Claims,
  escrowEventsIn,
  findInternalPayments,
  type InternalFinding,
  type InternalSource,
  isRelevantBlock,
  leadsIn,
  outcomesOf,
  type Receipt,
  type Transfer,
  transfersIn,
  type WatchList,
} from '../../src/chain/index.ts'
import type { Observed, ObservedTransfer } from '../../src/domain/blocks/index.ts'
import { NATIVE_POSITION } from '../../src/kernel/formats/log-position.ts'
import type { Asset, AssetCatalogue } from '../../src/kernel/money/assets.ts'
import type { Log } from '../../src/kernel/ports/log.ts'

/**
 * Scans verified blocks for transfers to campaigns, for events of escrows and for outcomes of
 * claimed transactions. Reads the receipts of relevant blocks in one batch. Reads traces only if
 * `leadsIn` finds an account that a contract call may have paid.
 */
export const scanBlocks = async (
  client: Pick<ChainClient, 'chainId' | 'receipts'> & InternalSource,
  assets: AssetCatalogue,
  blocks: readonly Block[],
  watch: WatchList,
  claims: Claims,
  log?: Log,
): Promise<Observed> => {
  const observed: Required<Observed> = {
    transfers: [],
    transactions: [],
    escrowEvents: [],
    unproven: [],
  }
  const relevant = blocks.filter((block) => isRelevantBlock(block, watch, claims))
  if (relevant.length === 0) return observed
  const assetOf = assetsByToken(assets, client.chainId)
  const receiptsOf = await client.receipts(relevant)
  for (const block of relevant) {
    const receipts = receiptsOf.get(block.hash) ?? []
    const seen = transfersIn(block, receipts, watch)
    const visible = [...seen.transfers, ...seen.returned]
    const leads = leadsIn(block, receipts, claims, watch, visible)
    const search = { block, receipts, leads, watched: watch.accounts, log }
    const hidden = await findInternalPayments(client, search)
    const transfers = [
      ...seen.transfers.flatMap((transfer) =>
        toObservedTransfer(block, transfer, sourceOf(transfer), assetOf),
      ),
      ...hidden.transfers.flatMap((transfer) =>
        toObservedTransfer(block, transfer, transfer.source, assetOf),
      ),
    ]
    const returned = [...seen.returned, ...hidden.returned]
    const found = { transfers, returned, unproven: hidden.unproven }
    observed.escrowEvents.push(
      ...escrowEventsIn(receipts, watch).map((event) => ({ ...event, ...blockFieldsOf(block) })),
    )
    addTo(observed, block, receipts, found, claims, watch)
  }
  return observed
}

/** Converts a transfer to the stored form. Returns no item if the token is not configured. */
export const toObservedTransfer = (
  block: Block,
  { token, ...transfer }: Transfer,
  source: ObservedTransfer['source'],
  assetOf: ReadonlyMap<string | null, Asset>,
): ObservedTransfer[] => {
  const asset = assetOf.get(token)
  return asset ? [{ ...blockFieldsOf(block), ...transfer, source, assetId: asset.id }] : []
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
  const paying = new Set(transfers.map(({ txHash }) => txHash))
  const counted = new Set(transfers.map(keyOf))
  const gone = returned.filter((transfer) => !counted.has(keyOf(transfer)))
  for (const { valueUnproven, ...outcome } of outcomesOf(block, receipts, claims, watch)) {
    if (!outcome.reverted && !paying.has(outcome.txHash)) {
      if (unproven.has(outcome.txHash)) observed.unproven.push(outcome.txHash)
      // The transaction may have made a payment that is not proven, so its result stays open.
      if (valueUnproven || unproven.has(outcome.txHash)) continue
    }
    observed.transactions.push({
      ...blockFieldsOf(block),
      ...outcome,
      returned: gone
        .filter(({ txHash }) => txHash === outcome.txHash)
        .map(({ recipient, position }) => ({ recipient, position })),
    })
  }
}

const keyOf = ({ txHash, position, recipient }: Omit<Transfer, 'token'>): string =>
  `${txHash} ${position} ${recipient}`

const blockFieldsOf = (block: Block) => ({
  blockNumber: block.number,
  blockHash: block.hash,
  minedAt: new Date(block.timestamp * 1_000),
})

/** The source of a transfer. A native payment counts as a log if the chain logs it (EIP-7708). */
const sourceOf = ({ position }: Transfer): ObservedTransfer['source'] =>
  position === NATIVE_POSITION ? 'value' : 'log'

export const assetsByToken = (assets: AssetCatalogue, chainId: number): Map<string | null, Asset> =>
  new Map(
    assets.all
      .filter((asset) => asset.chainId === chainId)
      .map((asset) => [asset.address, asset] as const),
  )
