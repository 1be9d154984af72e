/** `node bench/verify-block.ts`: how long it takes to prove a recorded mainnet block. */
import { proveHeader } from '../src/chain/proof/header.ts'
import { proveReceipts } from '../src/chain/proof/receipts.ts'
import { createProofTools } from '../src/chain/proof/tools.ts'
import { proveTransactions } from '../src/chain/proof/transactions.ts'
import {
  fixtureBlock,
  fixtureForkBlock,
  fixtureReceipts,
  hasFixtures,
} from '../test/support/rpc-server.ts'

const ROUNDS = 60

const time = (what: string, prove: () => void) => {
  const started = performance.now()
  prove()
  const cold = performance.now() - started
  const times = Array.from({ length: ROUNDS }, () => {
    const before = performance.now()
    prove()
    return performance.now() - before
  }).sort((a, b) => a - b)
  const median = times[ROUNDS / 2] ?? 0
  console.log(`${what}: ${median.toFixed(2)} ms (median of ${ROUNDS}; first ${cold.toFixed(2)} ms)`)
}

const main = async () => {
  if (!hasFixtures) {
    console.log('The recorded mainnet blocks are not here.')
    return
  }
  const tools = await createProofTools()
  for (const number of [21773542, 21854576]) {
    const raw = fixtureBlock(number)
    const receipts = fixtureReceipts(number)
    const header = proveHeader(raw, tools)
    const block = proveTransactions(header, raw.transactions as unknown[], tools)
    time(`header of ${number}`, () => proveHeader(raw, tools))
    time(`${receipts.length} receipts of ${number}`, () => proveReceipts(block, receipts, tools))
  }
  for (const fork of ['berlin', 'prague'] as const) {
    const raw = fixtureForkBlock(fork)
    const header = proveHeader(raw, tools)
    const list = raw.transactions as unknown[]
    time(`${list.length} transactions (${fork})`, () => proveTransactions(header, list, tools))
  }
}

await main()
