import { describe, expect, test } from 'vitest'
import { proveInclusions } from '../../../src/chain/encoding/inclusion.ts'
import { orderedTrieRoot } from '../../../src/chain/encoding/ordered-trie.ts'
import { createProofTools } from '../../../src/chain/encoding/tools.ts'
import { writeTransaction } from '../../../src/chain/encoding/transaction.ts'
import { fromHex } from '../../../src/verifier/bytes.ts'
import { checkPayment, checkReceipt } from '../../../src/verifier/chain-checks.ts'
import { readHeader } from '../../../src/verifier/header.ts'
import type { DonationProof } from '../../../src/verifier/index.ts'
import { readReceipt } from '../../../src/verifier/receipt.ts'
import { readTransaction } from '../../../src/verifier/transaction.ts'
import { indexKey, trieValue } from '../../../src/verifier/trie.ts'
import {
  fixtureBlock,
  fixtureForkBlock,
  fixtureReceipts,
  hasFixtures,
} from '../../support/rpc-server.ts'

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const BLOCKS = [21773542, 21854576]

type RecordedLog = { address: string; topics: string[]; data: string }

/** The USDC that an account gained by these logs, minus the USDC that it paid. */
const keptBy = (logs: readonly RecordedLog[], account: string): bigint =>
  logs
    .filter((log) => log.address === USDC && log.topics[0] === TRANSFER)
    .reduce((sum, { topics, data }) => {
      const [from, to] = [topics[1] ?? '', topics[2] ?? '']
      if (to.endsWith(account.slice(2))) return sum + BigInt(data)
      return from.endsWith(account.slice(2)) ? sum - BigInt(data) : sum
    }, 0n)

const bytesIn = (nodes: readonly string[]): number =>
  nodes.reduce((sum, node) => sum + (node.length - 2) / 2, 0)

const inclusionsOf = async (number: number) => {
  const receipts = fixtureReceipts(number)
  const hashes = receipts.map((receipt) => receipt.transactionHash)
  const found = proveInclusions(
    fixtureBlock(number),
    receipts,
    new Set(hashes),
    await createProofTools(),
  )
  return { ...found, receipts, hashes }
}

describe.skipIf(!hasFixtures)('recorded mainnet blocks', () => {
  test.each(BLOCKS)('proves every receipt of block %i alone, from the header', async (number) => {
    const { header, hashes, inclusions, receipts } = await inclusionsOf(number)
    const proven = readHeader(header)
    expect(proven).toMatchObject({ hash: fixtureBlock(number).hash, number })
    hashes.forEach((hash, index) => {
      const inclusion = inclusions.get(hash)
      expect(inclusion).toMatchObject({ index, transaction: null })
      const nodes = (inclusion?.receipt ?? []).map(fromHex)
      const value = trieValue(proven.receiptsRoot, indexKey(index), nodes)
      const receipt = readReceipt(value ?? new Uint8Array())
      const recorded = receipts[index]?.logs as RecordedLog[]
      expect(receipt.succeeded).toBe(receipts[index]?.status === '0x1')
      expect(receipt.logs.map((log) => log.topics)).toEqual(recorded.map((log) => log.topics))
      // The same trie nodes prove nothing about any other index.
      expect(() => trieValue(proven.receiptsRoot, indexKey(index + 1), nodes)).toThrow()
    })
  })

  test.each(BLOCKS)(
    'a receipt of a plain payment in block %i is proven by 2.5 kB at most',
    async (number) => {
      const { header, inclusions, receipts } = await inclusionsOf(number)
      const plain = receipts.filter((receipt) => {
        const logs = receipt.logs as RecordedLog[]
        return logs.length <= 1
      })
      expect(plain.length).toBeGreaterThan(20)
      const sizes = plain.map((one) => bytesIn(inclusions.get(one.transactionHash)?.receipt ?? []))
      expect(Math.max(...sizes)).toBeLessThanOrEqual(2_500)
      expect(bytesIn([header])).toBeLessThan(700)
    },
  )

  test('reads real USDC transfers out of their proofs, to the base unit', async () => {
    const number = 21773542
    const { block, header, inclusions, receipts } = await inclusionsOf(number)
    let payments = 0
    let passedOn = 0
    for (const receipt of receipts) {
      for (const [position, log] of (receipt.logs as RecordedLog[]).entries()) {
        if (log.address !== USDC || log.topics[0] !== TRANSFER || BigInt(log.data) === 0n) continue
        const inclusion = inclusions.get(receipt.transactionHash)
        const proof = {
          chainId: 1,
          donation: {
            account: `0x${log.topics[2]?.slice(26)}`,
            sender: `0x${log.topics[1]?.slice(26)}`,
            asset: `eip155:1/erc20:${USDC}`,
            amount: BigInt(log.data).toString(),
            txHash: receipt.transactionHash,
            position,
          },
          block: { number, hash: block.hash, header, parentHeader: null },
          index: inclusion?.index,
          receipt: inclusion?.receipt,
          transaction: null,
        } as unknown as DonationProof
        const proven = checkReceipt(proof, readHeader(header))
        payments += 1
        // Pools and routers pass on transfers. The receipt shows how much of a transfer was passed
        // on.
        if (keptBy(receipt.logs as RecordedLog[], proof.donation.account) < BigInt(log.data)) {
          expect(() => checkPayment(proof, proven.value, null)).toThrow(/Only \d+ of \d+ counts/)
          passedOn += 1
          continue
        }
        expect(checkPayment(proof, proven.value, null).why).toContain(proof.donation.amount)
        const other = { ...proof, donation: { ...proof.donation, amount: '1' } }
        expect(() => checkPayment(other, proven.value, null)).toThrow(/another amount/)
      }
    }
    expect([payments, passedOn]).toEqual([23, 4])
  })

  test.each(['berlin', 'prague'] as const)(
    'reads every transaction of %s: hash, recipient, value, chain and signer',
    async (fork) => {
      const { writer, keccak } = await createProofTools()
      const raw = fixtureForkBlock(fork)
      const list = raw.transactions as Record<string, string>[]
      const encoded: Uint8Array[] = []
      writer.rewind(0)
      orderedTrieRoot(list.length, writer, keccak, (index) => {
        const mark = writer.mark()
        writeTransaction(writer, list[index] ?? {})
        encoded[index] = Uint8Array.from(writer.view(mark))
      })
      const types = new Set<string>()
      list.forEach((transaction, index) => {
        const read = readTransaction(encoded[index] ?? new Uint8Array())
        expect(read.hash).toBe(transaction.hash)
        expect(read.to).toBe(transaction.to ?? null)
        expect(read.value).toBe(BigInt(transaction.value ?? 0))
        expect(read.chainId ?? 1n).toBe(1n)
        if (index % 5 === 0 || Number(transaction.type) > 2) {
          expect(read.sender()).toBe(transaction.from)
          types.add(transaction.type ?? '')
        }
      })
      expect(types.size).toBeGreaterThan(fork === 'berlin' ? 0 : 2)
    },
  )
})
