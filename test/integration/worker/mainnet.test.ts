import { describe, expect, onTestFinished, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createCheckDonationsJob } from '../../../worker/jobs/check-donations.ts'
import { createChainSync } from '../../support/chain-sync.ts'
import { recordDonation } from '../../support/donate.ts'
import { fixtureChain, fixtureReceipts, hasFixtures, serveRpc } from '../../support/rpc-server.ts'
import { createTestCampaign, createUser, createWorld } from '../../support/world.ts'

const BLOCK = 21_773_542
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/**
 * The recorded block has another chain id, because on Ethereum a final head would raise an alarm.
 */
const MAINNET = {
  id: 1_000_001,
  native: { symbol: 'ETH', decimals: 18 },
  tokens: [{ symbol: 'USDC', address: USDC, decimals: 6 }],
}

type RecordedLog = { address: string; topics: string[]; data: string }

/** Every USDC transfer of the block, read directly from the recorded JSON. */
const recordedTransfers = () =>
  fixtureReceipts(BLOCK).flatMap((receipt) =>
    (receipt.logs as RecordedLog[]).flatMap((log, position) =>
      log.address.toLowerCase() === USDC && log.topics[0] === TRANSFER && BigInt(log.data) > 0n
        ? [
            {
              txHash: String(receipt.transactionHash),
              position,
              sender: `0x${log.topics[1]?.slice(26)}`,
              recipient: `0x${log.topics[2]?.slice(26)}`,
              amount: BigInt(log.data),
            },
          ]
        : [],
    ),
  )

const decimal = (units: bigint): string =>
  `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, '0')}`

const setUp = async () => {
  const recorded = fixtureChain([BLOCK])
  const node = await serveRpc((method, params) =>
    method === 'eth_chainId' ? `0x${MAINNET.id.toString(16)}` : recorded(method, params),
  )
  onTestFinished(() => node.close())
  const world = await createWorld({ chains: [MAINNET] })
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const transfers = recordedTransfers()
  const campaigns = new Map<string, string>()
  for (const account of new Set(transfers.map((transfer) => transfer.recipient))) {
    campaigns.set(
      account,
      await createTestCampaign(world.ctx, { creator, account, target: '1', chainId: MAINNET.id }),
    )
  }
  for (const { txHash, position, sender, recipient, amount } of transfers) {
    await recordDonation(world.as(donor), {
      campaignId: campaigns.get(recipient) ?? '',
      amount: { value: decimal(amount), currency: 'USDC' },
      transaction: { txHash, ledgerAddress: sender, logPosition: position },
    })
  }
  // Makes the first look-up by hash due now instead of in a few seconds.
  await world.ctx.sql`update donation set next_check_at = now() - interval '1 second'`
  const sync = createChainSync(world.ctx, {
    ...MAINNET,
    name: 'mainnet',
    rpc: [node.url],
    startBlock: BLOCK,
    proof: 'receipts-root',
  })
  const job = createCheckDonationsJob(sync)
  const run = async () => {
    await syncChain(sync, new AbortController().signal)
    await job.run()
  }
  return { world, node, transfers, campaigns, run }
}

/** The USDC that an account kept of each transaction. */
const keptOf = (
  transfers: ReturnType<typeof recordedTransfers>,
  account: string,
): Map<string, bigint> => {
  const kept = new Map<string, bigint>()
  for (const { txHash, sender, recipient, amount } of transfers) {
    const gained = (recipient === account ? amount : 0n) - (sender === account ? amount : 0n)
    kept.set(txHash, (kept.get(txHash) ?? 0n) + gained)
  }
  return kept
}

describe.skipIf(!hasFixtures)('real USDC transfers of mainnet block 21773542', () => {
  test('are credited to the exact base unit, less what their recipient passed on at once', async () => {
    const { world, transfers, campaigns, run } = await setUp()
    expect(transfers.length).toBeGreaterThan(20)
    await run()
    const donations = await world.ctx.sql`
      select reason, discrepancy, count(*)::int as count from donation
      group by reason, discrepancy order by reason, discrepancy`
    // Pools and routers passed on parts of two transfers, and two other transfers completely.
    expect(donations).toEqual([
      { reason: 'completed', discrepancy: false, count: transfers.length - 4 },
      { reason: 'completed', discrepancy: true, count: 2 },
      { reason: 'returned_in_transaction', discrepancy: false, count: 2 },
    ])
    for (const [account, campaignId] of campaigns) {
      const kept = [...keptOf(transfers, account).values()]
      const expected = kept.reduce((sum, one) => (one > 0n ? sum + one : sum), 0n)
      const [total] = await world.ctx.sql<{ raised: string }[]>`
        select raised from campaign_total where campaign_id = ${campaignId}`
      expect(BigInt(total?.raised ?? -1)).toBe(expected)
    }
    expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
  })

  test('are not believed when one byte of any receipt is changed', async () => {
    const { world, node, run } = await setUp()
    node.alter = (method, _params, result) => {
      if (method !== 'eth_getBlockReceipts') return result
      const receipts = structuredClone(result) as { logs: RecordedLog[] }[]
      const log = receipts.find((receipt) => receipt.logs.length > 0)?.logs[0]
      if (log) log.data = `0x${log.data.slice(2, -1)}${log.data.endsWith('0') ? '1' : '0'}`
      return receipts
    }
    await run()
    const donations = await world.ctx.sql<{ status: string; reason: string }[]>`
      select distinct status, reason from donation`
    expect(donations).toEqual([{ status: 'pending', reason: 'node_disbelieved' }])
    expect(await world.ctx.sql`select id from chain_transfer`).toHaveLength(0)
    expect(await world.ctx.sql`select id from ledger_entry`).toHaveLength(0)
  })
})
