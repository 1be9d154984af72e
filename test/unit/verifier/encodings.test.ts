import { createHash } from 'node:crypto'
import { decodeRlp as ethersDecode, encodeRlp as ethersEncode, Wallet } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { merklePath, merkleRoot } from '../../../src/domain/books/seal/merkle.ts'
import { fromHex, toHex } from '../../../src/verifier/bytes.ts'
import {
  globalHeadHash,
  headHash,
  leafHash,
  NO_HEAD,
  nodeHash,
  rootOfPath,
  type SealedLeaf,
  signedHead,
} from '../../../src/verifier/index.ts'
import { decodeRlp, encodeRlp, type Rlp } from '../../../src/verifier/rlp.ts'
import { recoverAddress } from '../../../src/verifier/secp256k1.ts'

const toHexTree = (item: Rlp): unknown =>
  item instanceof Uint8Array ? toHex(item) : item.map(toHexTree)

const rlpTree = fc.letrec<{ item: unknown }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.uint8Array({ maxLength: 70 }).map((bytes) => toHex(bytes)),
    fc.array(tie('item'), { maxLength: 5 }),
  ),
})).item

test('reads RLP as ethers does, and writes it back to the byte', () => {
  fc.assert(
    fc.property(rlpTree, (tree) => {
      const encoded = ethersEncode(tree as Parameters<typeof ethersEncode>[0])
      const decoded = decodeRlp(fromHex(encoded))
      expect(toHexTree(decoded)).toEqual(ethersDecode(encoded))
      expect(toHex(encodeRlp(decoded))).toBe(encoded)
    }),
    { numRuns: 300, seed: 7 },
  )
})

test('takes only the one encoding of a value', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), (bytes) => {
      let decoded: Rlp
      try {
        decoded = decodeRlp(bytes)
      } catch {
        return
      }
      expect(toHex(encodeRlp(decoded))).toBe(toHex(bytes))
    }),
    { numRuns: 5_000, seed: 8 },
  )
  const bad = ['0x', '0x8100', '0x817f', '0xb80100', '0xb90001ff', '0xf80180', '0xc2c0', '0x8180ff']
  for (const text of bad) expect(() => decodeRlp(fromHex(text)), text).toThrow()
  expect(() => decodeRlp(fromHex(`0x${'c1'.repeat(40)}c0`))).toThrow(/too deeply|longer/)
})

test('recovers the signer, as ethers does, and refuses an invalid signature', () => {
  for (let index = 1; index <= 12; index++) {
    const wallet = new Wallet(`0x${index.toString(16).padStart(64, '0')}`)
    const hash = toHex(createHash('sha256').update(`message ${index}`).digest())
    const { r, s, yParity } = wallet.signingKey.sign(hash)
    const recover = (parity: bigint) => recoverAddress(hash, BigInt(r), BigInt(s), parity)
    expect(recover(BigInt(yParity))).toBe(wallet.address.toLowerCase())
    expect(recover(BigInt(1 - yParity))).not.toBe(wallet.address.toLowerCase())
  }
  const hash = `0x${'11'.repeat(32)}`
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  for (const [r, s, parity] of [
    [0n, 1n, 0n],
    [1n, 0n, 0n],
    [order, 1n, 0n],
    [1n, order, 0n],
    [1n, 1n, 2n],
    [5n, 1n, 0n],
  ] as const) {
    expect(() => recoverAddress(hash, r, s, parity)).toThrow()
  }
})

test('every leaf of trees of every size leads to the root, and to no other place', () => {
  for (let size = 1; size <= 40; size++) {
    const leaves = Array.from({ length: size }, (_, index) => leafHash(entry({ id: index + 1 })))
    const root = merkleRoot(leaves)
    for (let index = 0; index < size; index++) {
      const path = merklePath(leaves, index)
      expect(rootOfPath(leaves[index] ?? '', index, size, path)).toBe(root)
      for (let other = 0; other < size; other++) {
        if (other === index) continue
        let led: string | undefined
        try {
          led = rootOfPath(leaves[index] ?? '', other, size, path)
        } catch {
          continue
        }
        expect([size, index, other, led === root]).toEqual([size, index, other, false])
      }
    }
  }
})

test('splits a tree where RFC 6962 does', () => {
  const splitAt = (leaves: string[]): string => {
    if (leaves.length === 1) return leaves[0] ?? ''
    let power = 1
    while (power * 2 < leaves.length) power *= 2
    return nodeHash(splitAt(leaves.slice(0, power)), splitAt(leaves.slice(power)))
  }
  for (let size = 1; size <= 70; size++) {
    const leaves = Array.from({ length: size }, (_, index) => leafHash(entry({ id: index + 1 })))
    expect(merkleRoot(leaves)).toBe(splitAt(leaves))
  }
})

const entry = (changes: Partial<SealedLeaf> = {}): SealedLeaf => ({
  id: 1,
  kind: 'donation',
  debit: 'custody',
  credit: 'held',
  campaignId: '01900000-0000-7000-8000-00000000000c',
  asset: 'eip155:1/slip44:60',
  amount: '25',
  donationId: '01900000-0000-7000-8000-00000000000d',
  transfer: {
    chainId: 1,
    txHash: `0x${'aa'.repeat(32)}`,
    position: -1,
    recipient: `0x${'bb'.repeat(20)}`,
  },
  generation: 0,
  block: { number: 7, hash: `0x${'cc'.repeat(32)}` },
  milestoneId: null,
  reverses: null,
  createdAt: '2027-01-15T08:00:00.000Z',
  ...changes,
})

/** A second implementation of the encoding in docs/proof.md, written from that text alone. */
const encodedBy = (prefix: number, fields: (string | null)[]): string => {
  const hash = createHash('sha256').update(Buffer.from([prefix]))
  for (const field of fields) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(field === null ? 4_294_967_295 : Buffer.byteLength(field))
    hash.update(length).update(field ?? '')
  }
  return `0x${hash.digest('hex')}`
}

test('hashes entries, heads and the global head as the documentation says', () => {
  expect(leafHash(entry())).toBe(
    encodedBy(0, [
      'fundproof/ledger-entry',
      '1',
      '1',
      'donation',
      'custody',
      'held',
      '01900000-0000-7000-8000-00000000000c',
      'eip155:1/slip44:60',
      '25',
      '01900000-0000-7000-8000-00000000000d',
      '1',
      `0x${'aa'.repeat(32)}`,
      '-1',
      `0x${'bb'.repeat(20)}`,
      '0',
      '7',
      `0x${'cc'.repeat(32)}`,
      null,
      null,
      '2027-01-15T08:00:00.000Z',
    ]),
  )
  const seal = {
    campaignId: '01900000-0000-7000-8000-00000000000c',
    seq: 2,
    previousHead: NO_HEAD,
    root: `0x${'dd'.repeat(32)}`,
    entries: 3,
    totalEntries: 5,
    sealedAt: '2027-01-15T08:00:00.000Z',
  }
  const head = headHash(seal)
  expect(head).toBe(
    encodedBy(2, [
      'fundproof/ledger-head',
      '1',
      seal.campaignId,
      '2',
      NO_HEAD,
      seal.root,
      '3',
      '5',
      seal.sealedAt,
    ]),
  )
  expect(globalHeadHash(NO_HEAD, head)).toBe(
    encodedBy(3, ['fundproof/global-head', '1', NO_HEAD, head]),
  )
  const message = signedHead({ ...seal, head, globalHead: NO_HEAD })
  expect(Buffer.from(message).toString('latin1')).toBe(
    ['fundproof/signed-head', '1', seal.campaignId, '2', head, NO_HEAD]
      .map((field) => `\0\0\0${String.fromCharCode(field.length)}${field}`)
      .join(''),
  )
})

test('an entry hashes to the same for ever', () => {
  expect(leafHash(entry())).toBe(
    '0x283642a4f4e6167a80df17e2857547f720b1cf720c64cfd834ed7728f1e4eb1a',
  )
})

test('two entries that differ in any column differ in their hash', () => {
  const changes: Partial<SealedLeaf>[] = [
    { id: 2 },
    { kind: 'deposit' },
    { debit: 'unclaimed' },
    { credit: 'exchange' },
    { campaignId: '01900000-0000-7000-8000-00000000000e' },
    { asset: 'eip155:1/slip44:61' },
    { amount: '26' },
    { donationId: null },
    { transfer: null },
    { generation: 1 },
    { generation: null },
    { block: null },
    { milestoneId: '01900000-0000-7000-8000-00000000000e' },
    { reverses: 1 },
    { createdAt: '2027-01-15T08:00:00.001Z' },
    // Without lengths in the encoding, these two texts would have the same bytes.
    { kind: 'donationc', debit: 'ustody' },
  ]
  const hashes = [entry(), ...changes.map(entry)].map(leafHash)
  expect(new Set(hashes).size).toBe(hashes.length)
})
