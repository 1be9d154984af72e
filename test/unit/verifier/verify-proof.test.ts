import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DonationProof,
  type VerificationResult,
  verifyProof,
} from '../../../src/verifier/index.ts'
import { type Kind, makeProof } from './support/made-proof.ts'

const KINDS: readonly Kind[] = ['token', 'native', 'call']
const failedOf = ({ checks }: VerificationResult): string[] =>
  checks.filter((check) => !check.ok).map((check) => check.name)

type Path = (string | number)[]

/** Lists every value in a JSON document with its path. */
const placesOf = (value: unknown, path: Path = []): { path: Path; value: unknown }[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]))
    : [{ path, value }]

const withChange = <T>(document: T, path: Path, change: (value: unknown) => unknown): T => {
  const copy = structuredClone(document)
  let at: unknown = copy
  for (const name of path.slice(0, -1)) at = Reflect.get(at as object, name)
  const last = path.at(-1) ?? ''
  Reflect.set(at as object, last, change(Reflect.get(at as object, last)))
  return copy
}

describe.each(KINDS)('the proof of a payment by %s', (kind) => {
  test('is believed', async () => {
    const { proof, trust } = await makeProof(kind)
    const result = await verifyProof(JSON.parse(JSON.stringify(proof)), trust)
    expect(result.checks.filter((check) => !check.ok)).toEqual([])
    expect(result).toMatchObject({ ok: true, level: kind === 'call' ? 'balance' : 'transaction' })
  })

  test('is refused with any digit of any value changed', async () => {
    const { proof, trust } = await makeProof(kind)
    for (const { path, value } of placesOf(proof)) {
      const text = String(value)
      const step = Math.max(1, Math.floor(text.length / 16))
      for (let at = 0; at < text.length; at += step) {
        const altered = withChange(proof, path, () => {
          if (typeof value === 'number') return value + 1
          if (value === null) return ''
          const digit = text[at] ?? ''
          const other = digit === '0' ? '1' : digit === 'a' ? 'b' : /[0-9]/.test(digit) ? '0' : 'a'
          return text.slice(0, at) + other + text.slice(at + 1)
        })
        const { ok } = await verifyProof(altered, trust)
        expect({ path, at, ok }).toEqual({ path, at, ok: false })
      }
    }
  })

  test('is refused with anything left out, emptied, doubled or added', async () => {
    const { proof, trust } = await makeProof(kind)
    const containers: Path[] = [
      [],
      ...new Set(placesOf(proof).map(({ path }) => JSON.stringify(path.slice(0, -1)))),
    ].map((path) => (typeof path === 'string' ? (JSON.parse(path) as Path) : path))
    let tried = 0
    for (const path of containers) {
      const at = path.reduce<unknown>((value, name) => Reflect.get(value as object, name), proof)
      const changed = (change: (value: never) => unknown) =>
        path.length === 0
          ? change(structuredClone(proof) as never)
          : withChange(proof, path, change as (value: unknown) => unknown)
      const changes = Array.isArray(at)
        ? [
            (list: unknown[]) => list.slice(1),
            (list: unknown[]) => list.slice(0, -1),
            (list: unknown[]) => [...list, list[0]],
            () => [],
          ]
        : [
            ...Object.keys(at as object).map((name) => (value: Record<string, unknown>) => {
              const { [name]: _, ...rest } = value
              return rest
            }),
            (value: object) => ({ ...value, more: 1 }),
            () => null,
          ]
      for (const change of changes) {
        tried += 1
        const { ok } = await verifyProof(changed(change as (value: never) => unknown), trust)
        expect({ path, change, ok }).toEqual({ path, change, ok: false })
      }
    }
    expect(tried).toBeGreaterThan(60)
  })
})

test('one byte of any trie node, header or signature that is changed is noticed', async () => {
  const made = await Promise.all(KINDS.map(makeProof))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...made),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async ({ proof, trust }, pick, where, mask) => {
        const places = placesOf(proof).filter(
          ({ value }) => typeof value === 'string' && /^0x[0-9a-f]{2,}$/.test(value),
        )
        const place = places[pick % places.length]
        const altered = withChange(proof, place?.path ?? [], (value) => {
          const bytes = Buffer.from(String(value).slice(2), 'hex')
          const at = where % bytes.length
          bytes[at] = (bytes[at] ?? 0) ^ mask
          return `0x${bytes.toString('hex')}`
        })
        expect((await verifyProof(altered, trust)).ok).toBe(false)
      },
    ),
    { numRuns: 400, seed: 4 },
  )
}, 120_000)

test('names the step that fails', async () => {
  const { proof, trust } = await makeProof('token')
  const { trust: other } = await makeProof('native')
  const cases: [string[], unknown, typeof trust][] = [
    [['chain'], proof, { ...trust, headers: other.headers }],
    [['chain'], proof, { ...trust, headers: async () => [{ source: 'a', hash: null }] }],
    [['chain'], proof, { ...trust, headers: () => Promise.reject(new Error('away')) }],
    [['level'], proof, { ...trust, accept: ['receipt'] }],
    [['signature'], proof, { ...trust, keys: [{ x: 'another' }] }],
    [['payment'], withChange(proof, ['donation', 'sender'], () => `0x${'ee'.repeat(20)}`), trust],
    [['head'], withChange(proof, ['ledger', 'seals', 0, 'totalEntries'], () => 31), trust],
    [['inclusion'], withChange(proof, ['ledger', 'entries', 1, 'amount'], () => '26'), trust],
    [['receipt'], withChange(proof, ['receipt'], () => proof.transaction), trust],
    [['transaction'], withChange(proof, ['transaction'], () => proof.receipt), trust],
  ]
  for (const [names, altered, asked] of cases) {
    expect(failedOf(await verifyProof(altered, asked))).toEqual(names)
  }
})

test('believes a block only if every source that knows it names the same hash', async () => {
  const { proof } = await makeProof('token')
  const { hash } = proof.block
  const ask = async (hashes: (string | null)[]) =>
    failedOf(
      await verifyProof(proof, {
        headers: async () => hashes.map((one, index) => ({ source: `node ${index}`, hash: one })),
      }),
    )
  expect(await ask([hash])).toEqual([])
  expect(await ask([hash, hash, null])).toEqual([])
  expect(await ask([hash, `0x${'11'.repeat(32)}`])).toEqual(['chain'])
  expect(await ask([null])).toEqual(['chain'])
  expect(await ask([])).toEqual(['chain'])
})

test('takes a proof without its transaction only if that level is accepted, and says whose word is left', async () => {
  const { proof, trust } = await makeProof('token')
  const stripped = { ...proof, transaction: null }
  expect(failedOf(await verifyProof(stripped, trust))).toEqual(['level'])
  const result = await verifyProof(stripped, { ...trust, accept: ['receipt'] })
  expect(result).toMatchObject({ ok: true, level: 'receipt' })
  expect(result.trusted.join()).toMatch(/transaction of the receipt/)
  const native = await makeProof('native')
  const bare = { ...native.proof, transaction: null }
  const refused = await verifyProof(bare, { ...native.trust, accept: ['receipt'] })
  expect(failedOf(refused)).toContain('transaction')
})

/**
 * Whether the step `entries` refuses these entries. Another step refuses them for their missing
 * seal.
 */
const entriesOf = async () => {
  const { proof, trust } = await makeProof('token')
  const [credit, conversion] = proof.ledger.entries
  const isRefused = async (...entries: unknown[]) => {
    const altered = { ...proof, ledger: { ...proof.ledger, entries } }
    return failedOf(await verifyProof(altered, trust)).includes('entries')
  }
  return { credit, conversion, isRefused }
}

test('a credit that was reversed is no proof, a later one is', async () => {
  const { credit, conversion, isRefused } = await entriesOf()
  const reversal = { ...credit, id: 9, kind: 'reversal', debit: 'exchange', credit: 'custody' }
  const back = { ...conversion, id: 8, kind: 'reversal', debit: 'held', credit: 'exchange' }
  const undone = [credit, conversion, { ...back, reverses: 7 }, { ...reversal, reverses: 6 }]
  const again = [
    { ...credit, id: 10, generation: 1 },
    { ...conversion, id: 11, generation: 1 },
  ]
  expect(await isRefused(credit, conversion)).toBe(false)
  expect(await isRefused(...undone)).toBe(true)
  expect(await isRefused(credit, conversion, { ...reversal, reverses: 77 })).toBe(true)
  expect(await isRefused(credit, conversion, { ...reversal, reverses: 6, amount: '1' })).toBe(true)
  expect(await isRefused(credit, conversion, { ...credit, id: 8 })).toBe(true)
  expect(await isRefused(...undone, ...again)).toBe(false)
  expect(await isRefused(...undone, { ...undone[3], id: 12 }, ...again)).toBe(true)
  const otherGeneration = { ...undone[3], generation: 1 }
  expect(await isRefused(...undone.slice(0, 3), otherGeneration, ...again)).toBe(true)
})

test('a proof without the conversion that its credit needs is refused', async () => {
  const { credit, conversion, isRefused } = await entriesOf()
  expect(await isRefused(credit)).toBe(true)
  expect(await isRefused({ ...credit, credit: 'held' })).toBe(false)
  expect(await isRefused({ ...credit, credit: 'held' }, conversion)).toBe(true)
  expect(await isRefused(credit, conversion, { ...conversion, id: 8 })).toBe(true)
  for (const change of [
    { generation: 1 },
    { credit: 'released' },
    { debit: 'custody' },
    { asset: credit?.asset },
    { block: { number: 101, hash: credit?.block?.hash } },
    { transfer: { ...credit?.transfer, position: 0 } },
  ]) {
    expect([change, await isRefused(credit, { ...conversion, ...change })]).toEqual([change, true])
  }
  const back = { ...conversion, id: 8, kind: 'reversal', debit: 'held', credit: 'exchange' }
  expect(await isRefused(credit, conversion, { ...back, reverses: 7 })).toBe(true)
})

test('a proof without the deposit that its credit came from is refused', async () => {
  const { credit, conversion, isRefused } = await entriesOf()
  const claimed = { ...credit, debit: 'unclaimed' }
  const deposit = {
    ...{ ...credit, id: 5, kind: 'deposit', donationId: null },
    ...{ debit: 'custody', credit: 'unclaimed' },
  }
  expect(await isRefused(deposit, claimed, conversion)).toBe(false)
  expect(await isRefused(claimed, conversion)).toBe(true)
  expect(await isRefused(deposit, credit, conversion)).toBe(true)
  for (const change of [
    { generation: 1 },
    { amount: '1' },
    { debit: 'held' },
    { donationId: credit?.donationId },
    { transfer: { ...credit?.transfer, position: 0 } },
  ]) {
    const altered = { ...deposit, ...change }
    expect([change, await isRefused(altered, claimed, conversion)]).toEqual([change, true])
  }
})

test('no other entry may stand beside the credit of a donation', async () => {
  const { credit, conversion, isRefused } = await entriesOf()
  const release = { ...conversion, id: 8, kind: 'release', debit: 'held', credit: 'released' }
  expect(await isRefused(credit, conversion, release)).toBe(true)
  expect(await isRefused(credit, conversion, { ...credit, id: 8, kind: 'anything' })).toBe(true)
})

test('is no proof of a donation where no key of the service was given, and says so', async () => {
  const { proof, trust } = await makeProof('token')
  const { keys, ...keyless } = trust
  expect(await verifyProof(proof, trust)).toMatchObject({ ok: true, signer: 'trusted' })
  const result = await verifyProof(proof, keyless)
  expect(result).toMatchObject({ ok: false, signer: 'unknown' })
  expect(failedOf(result)).toEqual([])
  expect(await verifyProof(proof, { ...trust, keys: [] })).toMatchObject({ ok: false })
})

test('never throws for any input', async () => {
  const { proof, trust } = await makeProof('call')
  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown
  const garbage: unknown[] = [undefined, null, 1, 'x', [], {}, deep, () => {}, new Map()]
  const isRefused = async (input: unknown) => {
    expect((await verifyProof(input, trust)).ok).toBe(false)
  }
  for (const input of garbage) await isRefused(input)
  await fc.assert(fc.asyncProperty(fc.anything(), isRefused), { numRuns: 500, seed: 5 })
  // Puts values of the right shape, but without meaning, in every place.
  const places = placesOf(proof)
  const change = fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 600 }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      let altered: DonationProof = proof
      for (const [pick, bytes] of changes) {
        const text = `0x${Buffer.from(bytes).toString('hex')}`
        altered = withChange(altered, places[pick % places.length]?.path ?? [], () => text)
      }
      return isRefused(altered)
    }),
    { numRuns: 500, seed: 6 },
  )
}, 120_000)
