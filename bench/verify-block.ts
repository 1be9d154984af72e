/**
 * `node bench/verify-block.ts` measures the processor time that it takes to prove a block and its
 * receipts, and an update of a sync committee.
 */
import { proveHeader } from '../src/chain/encoding/header.ts'
import { proveReceipts } from '../src/chain/encoding/receipts.ts'
import { createProofTools, type ProofTools } from '../src/chain/encoding/tools.ts'
import { proveTransactions } from '../src/chain/encoding/transactions.ts'
import { callNode } from '../src/local/rpc.ts'
import {
  fixtureBlock,
  fixtureForkBlock,
  fixtureReceipts,
  hasFixtures,
} from '../test/support/rpc-server.ts'
import { preparePaidChain } from './settle/chain.ts'
import { type Cleanup, createCleanup } from './support/cleanup.ts'
import { median, quantile } from './support/statistics.ts'
import { table } from './support/table.ts'
import { campaignAccount } from './support/world.ts'
import { prepareCommittee } from './verify-committee.ts'

export type VerifyResult = { what: string; medianMs: number; p99Ms: number; firstMs: number }

type RawBlock = Record<string, unknown>

const ROUNDS = 60
const TRANSFERS = 200

/**
 * Proves recorded mainnet blocks, or a block of a development chain if there are none, and an
 * update of a sync committee.
 */
export const benchVerify = async (cleanup: Cleanup): Promise<VerifyResult[]> => {
  const tools = await createProofTools()
  const { update, ceiling } = prepareCommittee()
  return [
    ...(hasFixtures ? verifyFixtures(tools) : await verifyDevBlock(tools, cleanup)),
    measure('update of a sync committee', update),
    measure('its signature with all keys, by blst', ceiling),
  ]
}

const verifyFixtures = (tools: ProofTools): VerifyResult[] => [
  ...[21773542, 21854576].flatMap((number) => {
    const raw = fixtureBlock(number)
    return verifyBlock(`mainnet ${number}`, raw, fixtureReceipts(number), tools)
  }),
  ...(['berlin', 'prague'] as const).map((fork) =>
    verifyTransactions(`mainnet, first block of ${fork}`, fixtureForkBlock(fork), tools),
  ),
]

const verifyDevBlock = async (tools: ProofTools, cleanup: Cleanup): Promise<VerifyResult[]> => {
  const chain = await preparePaidChain(cleanup, {
    blocks: 1,
    transfersPerBlock: TRANSFERS,
    recipients: [campaignAccount(0)],
  })
  const number = `0x${(chain.head - 2).toString(16)}`
  // These are answers of the development node, in the same form as those of other nodes.
  const raw = (await callNode(chain.url, 'eth_getBlockByNumber', [number, true])) as RawBlock
  const receipts = (await callNode(chain.url, 'eth_getBlockReceipts', [raw.hash])) as RawBlock[]
  await chain.stop()
  const what = 'development chain'
  return [verifyTransactions(what, raw, tools), ...verifyBlock(what, raw, receipts, tools)]
}

const verifyBlock = (
  what: string,
  raw: RawBlock,
  receipts: readonly unknown[],
  tools: ProofTools,
): VerifyResult[] => {
  const header = proveHeader(raw, tools)
  const block = proveTransactions(header, raw.transactions as unknown[], tools)
  return [
    measure(`${what}: header`, () => proveHeader(raw, tools)),
    measure(`${what}: ${receipts.length} receipts`, () => proveReceipts(block, receipts, tools)),
  ]
}

const verifyTransactions = (what: string, raw: RawBlock, tools: ProofTools): VerifyResult => {
  const header = proveHeader(raw, tools)
  const list = raw.transactions as unknown[]
  return measure(`${what}: ${list.length} transactions`, () =>
    proveTransactions(header, list, tools),
  )
}

const measure = (what: string, prove: () => unknown): VerifyResult => {
  // The processor time of this thread, so that other work on the machine does not count.
  const time = () => {
    const before = process.threadCpuUsage()
    prove()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  const firstMs = time()
  const times = Array.from({ length: ROUNDS }, time)
  return { what, medianMs: median(times), p99Ms: quantile(times, 0.99), firstMs }
}

export const verifyTable = (results: readonly VerifyResult[]): string =>
  table(
    ['Processor time to prove', 'median ms', 'p99 ms', 'first ms'],
    results.map(({ what, medianMs, p99Ms, firstMs }) => [
      what,
      ...[medianMs, p99Ms, firstMs].map((ms) => ms.toFixed(2)),
    ]),
  )

if (import.meta.main) {
  const cleanup = createCleanup()
  try {
    console.log(verifyTable(await benchVerify(cleanup)))
  } finally {
    await cleanup.run()
  }
}
