import { describe, expect, test } from 'vitest'
import { proveHeader } from '../../../src/chain/encoding/header.ts'
import { createProofTools } from '../../../src/chain/encoding/tools.ts'
import { proveTransactions } from '../../../src/chain/encoding/transactions.ts'
import { fixtureForkBlock, hasFixtures } from '../../support/rpc-server.ts'
import { headerOf, prove, signedTransfer } from './rollups/encode.ts'
import { codeOf } from './support.ts'

const COPIES = 50_000
/** The least gas that a transaction uses in any fork (EIP-2780, from Amsterdam on). */
const LEAST_GAS = 12_000
/** The limit of transactions that use no gas, as a rollup's own transactions do. */
const FREE = 10

/** Proof tools that count their hashes. */
const countingTools = async () => {
  const { keccak, writer } = await createProofTools()
  const work = { hashes: 0 }
  const counting = (bytes: Uint8Array) => {
    work.hashes += 1
    return keccak(bytes)
  }
  return { work, tools: { keccak: counting, writer } }
}

describe('the number of transactions in a block', () => {
  test('is refused where its gas cannot hold them, before any of them is hashed', async () => {
    const { work, tools } = await countingTools()
    const { shown } = await signedTransfer()
    const header = headerOf({ gasUsed: 30_000_000 })
    const copies = Array.from({ length: COPIES }, () => shown)
    expect(await codeOf(() => proveTransactions(header, copies, tools))).toBe('transactions_forged')
    const hashes = copies.map((one) => one.hash)
    expect(await codeOf(() => proveTransactions(header, hashes, tools))).toBe('transactions_forged')
    expect(work.hashes).toBe(0)
  })

  test('may be some that use no gas, as a rollup puts them into its blocks', async () => {
    const { encoded, shown } = await signedTransfer()
    const some = Array.from({ length: FREE }, () => ({ encoded, shown }))
    const block = await prove(
      some.map((one) => one.encoded),
      some.map((one) => one.shown),
      { gasUsed: 0 },
    )
    expect(block.proof).toBe('transactions-root')
  })

  test.skipIf(!hasFixtures)('is proven where all of them are of the cheapest kind', async () => {
    const { work, tools } = await countingTools()
    const raw = fixtureForkBlock('berlin')
    const list = raw.transactions as unknown[]
    const header = proveHeader(raw, tools)
    expect(header.gasUsed).toBe(Number(raw.gasUsed))
    const cheapest = { ...header, gasUsed: list.length * LEAST_GAS }
    expect(proveTransactions(cheapest, list, tools).proof).toBe('transactions-root')
    work.hashes = 0
    const free = { ...header, gasUsed: 0 }
    expect(await codeOf(() => proveTransactions(free, list, tools))).toBe('transactions_forged')
    expect(work.hashes).toBe(0)
  })
})
