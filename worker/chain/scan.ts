import {
  type Block,
  blockMatters,
  type ChainClient,
  outcomesOf,
  transfersIn,
  type WatchList,
} from '../../src/chain/index.ts'
import type { Sightings } from '../../src/domain/chain/index.ts'
import type { Asset, AssetCatalogue } from '../../src/kernel/assets.ts'

/**
 * What verified blocks hold for campaigns: their transfers, and what claimed transactions did.
 * Receipts are asked for in one batch, and only for blocks that matter.
 */
export const scanBlocks = async (
  client: ChainClient,
  assets: AssetCatalogue,
  blocks: readonly Block[],
  watch: WatchList,
  claimedHashes: ReadonlySet<string>,
): Promise<Sightings> => {
  const sightings: Sightings = { transfers: [], transactions: [] }
  const matters = blocks.filter((block) => blockMatters(block, watch, claimedHashes))
  if (matters.length === 0) return sightings
  const assetOf = assetsByToken(assets, client.chainId)
  const receiptsOf = await client.receipts(matters)
  for (const block of matters) {
    const receipts = receiptsOf.get(block.hash) ?? []
    const place = {
      blockNumber: block.number,
      blockHash: block.hash,
      minedAt: new Date(block.timestamp * 1_000),
    }
    const paying = new Set<string>()
    for (const transfer of transfersIn(block, receipts, watch)) {
      const asset = assetOf.get(transfer.token)
      // What an account sends to itself arrives from nowhere: its balance stays what it was.
      if (!asset || transfer.sender === transfer.recipient) continue
      paying.add(transfer.txHash)
      sightings.transfers.push({ ...place, ...transfer, assetId: asset.id })
    }
    for (const outcome of outcomesOf(block, receipts, claimedHashes, watch)) {
      // Without a proven value it cannot be said that the transaction paid nobody.
      if (outcome.valueUnproven && outcome.status === 'succeeded' && !paying.has(outcome.txHash)) {
        continue
      }
      sightings.transactions.push({
        ...place,
        txHash: outcome.txHash,
        reverted: outcome.status === 'reverted',
        unknownTokenRecipients: [...new Set(outcome.unknownTokens.map((token) => token.recipient))],
      })
    }
  }
  return sightings
}

const assetsByToken = (assets: AssetCatalogue, chainId: number): Map<string | null, Asset> =>
  new Map(
    assets.all
      .filter((asset) => asset.chainId === chainId)
      .map((asset) => [asset.address, asset] as const),
  )
