import { type ChainClient, ChainError, type Header } from '../../../src/chain/index.ts'
import {
  balanceKey,
  type CommittedWindow,
  commitWindow,
  compareTransfers,
  listClaimedHashes,
  listHoldings,
  listWatchedCampaigns,
  type Observed,
  type ObservedTransfer,
  type Run,
  type WatchedCampaigns,
} from '../../../src/domain/blocks/index.ts'
import { scanBlocks } from '../scan.ts'
import { compareBalances } from './compare-balances.ts'
import { type Balances, type Holding, readBalances } from './read-balances.ts'
import type { ScannedWindow } from './read-windows.ts'
import type { Flow, Reconciler } from './scan-batch.ts'

/** The balances after a window, with which the next window starts. */
export type Standing = { header: Header; balances: Balances }

/**
 * Compares one window with the database and commits the result. `committed` is null if the chain or
 * the run has changed. `balanced` names the compared balances, and `unread` are the balances that
 * no node has.
 */
export const compareWindow = async (
  reconciler: Reconciler,
  run: Run | null,
  window: ScannedWindow,
  before: Standing | null,
): Promise<{
  committed: CommittedWindow | null
  after: Standing
  unread: readonly Holding[]
  balanced: ReadonlySet<string>
}> => {
  const { ctx, client } = reconciler
  const scanned = {
    chainId: client.chainId,
    from: window.from,
    to: window.to,
    found: window.transfers,
    native: reconciler.depth !== 'tokens',
  }
  const watched = await listWatchedCampaigns(ctx, client.chainId)
  const { missing, inflows } = await compareTransfers(ctx, scanned, watched)
  const flows = [...window.outflows, ...inflows.map((inflow) => ({ ...inflow, proven: true }))]
  const holdings = holdingsOf(reconciler, watched, flows)
  const start = await standingBefore(reconciler, window, before, holdings)
  const after = await readBalances(client, window.last, holdings)
  const compared = await compareBalances({
    ...{ ctx, client, window, before: start, after, holdings, flows, watched },
  })
  const recovered = [...missing, ...compared.internal]
  const unread = holdings.filter(
    ({ account, asset }) => !compared.balanced.has(balanceKey(account, asset.id)),
  )
  const committed = await commitWindow(ctx, run, {
    scanned: { ...scanned, found: [...window.transfers, ...compared.internal] },
    last: window.last,
    transactions: await claimsOf(reconciler, window, recovered),
    escrowEvents: window.escrowEvents,
    balances: compared.differences,
    balanced: compared.balanced,
    unread: unread.length,
    held: tokensHeld(
      holdings,
      [start.balances, after],
      [...flows, ...(await listHoldings(ctx, client.chainId))],
    ),
  })
  return {
    committed,
    after: { header: window.last, balances: after },
    unread,
    balanced: compared.balanced,
  }
}

/** The token balances to store: balances of tokens that an account holds or has held. */
const tokensHeld = (
  holdings: readonly Holding[],
  [before, after]: [Balances, Balances],
  everHeld: readonly { account: string; assetId: string }[],
) => {
  const known = new Set(everHeld.map(({ account, assetId }) => balanceKey(account, assetId)))
  return holdings.flatMap(({ account, asset }) => {
    const key = balanceKey(account, asset.id)
    const balance = after.amounts.get(key)
    if (asset.kind === 'native' || balance === undefined) return []
    const isStored = balance > 0n || (before.amounts.get(key) ?? 0n) > 0n || known.has(key)
    return isStored ? [{ account, assetId: asset.id, balance }] : []
  })
}

/** Pairs each account with each asset, because an asset can arrive without a log. */
const holdingsOf = (
  { ctx, client, depth, accounts }: Reconciler,
  watched: WatchedCampaigns,
  flows: readonly Flow[],
): Holding[] => {
  const assets = ctx.settings.assets.all.filter(
    ({ chainId, kind }) => chainId === client.chainId && (depth !== 'tokens' || kind !== 'native'),
  )
  const compared = [...watched.keys()].filter((account) => accounts?.has(account) ?? true)
  const holdings = new Map<string, Holding>()
  for (const asset of assets) {
    const moving = flows.flatMap((flow) => (flow.assetId === asset.id ? [flow.account] : []))
    for (const account of [...compared, ...moving]) {
      holdings.set(balanceKey(account, asset.id), { account, asset })
    }
  }
  return [...holdings.values()]
}

/** The balances before the window, either known from the last window or read from the nodes. */
const standingBefore = async (
  { client }: Reconciler,
  window: ScannedWindow,
  before: Standing | null,
  holdings: readonly Holding[],
): Promise<Standing> => {
  const [first] = window.headers
  const known = before?.header.hash === first?.parentHash ? before : null
  const header = known?.header ?? (await headerBefore(client, window))
  const unread = holdings.filter(
    ({ account, asset }) => !known?.balances.amounts.has(balanceKey(account, asset.id)),
  )
  const read = await readBalances(client, header, unread)
  return {
    header,
    balances: {
      amounts: new Map([...(known?.balances.amounts ?? []), ...read.amounts]),
      contracts: new Set([...(known?.balances.contracts ?? []), ...read.contracts]),
    },
  }
}

/**
 * The block whose balances a window starts with: the block before the window. Instead of
 * block 0, takes block 1, because a development chain gives accounts money after block 0.
 */
const headerBefore = async (client: ChainClient, window: ScannedWindow): Promise<Header> => {
  const [first = window.last] = window.headers
  if (first.number === 1) return first
  const header = await client.headerAt(first.number - 1)
  if (header?.hash === first.parentHash) return header
  throw new ChainError('block_missing', `The parent of block ${first.number} is missing.`)
}

/** The claimed transactions among the recovered transfers, because donations wait for them. */
const claimsOf = async (
  { ctx, client, watch }: Reconciler,
  window: ScannedWindow,
  recovered: readonly ObservedTransfer[],
): Promise<Observed['transactions']> => {
  const hashes = [...new Set(recovered.map(({ blockHash }) => blockHash))]
  if (hashes.length === 0) return []
  const claims = await listClaimedHashes(ctx, client.chainId, [
    ...new Set(recovered.map(({ txHash }) => txHash)),
  ])
  if (claims.size === 0) return []
  const alreadyRead = new Map(window.relevant.map((block) => [block.hash, block]))
  const blocks = []
  for (const hash of hashes) {
    const block = alreadyRead.get(hash) ?? (await client.blockByHash(hash))
    if (!block) throw new ChainError('block_missing', `The node does not have block ${hash}.`)
    blocks.push(block)
  }
  const { assets } = ctx.settings
  const observed = await scanBlocks(client, assets, blocks, await watch(ctx), claims, ctx.log)
  return observed.transactions
}
