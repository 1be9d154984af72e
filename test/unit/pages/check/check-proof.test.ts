import { describe, expect, test } from 'vitest'
import { wordsOf } from '../../../../src/pages/components/check-words.ts'
import {
  askSource,
  type BlockSource,
  pastedAnswer,
} from '../../../../src/pages/shared/check/block-source.ts'
import type { CheckOutcome, CheckRequest } from '../../../../src/pages/shared/check/check-proof.ts'
import { committeeAnswer } from '../../../../src/pages/shared/check/committee-answer.ts'
import { readChosen } from '../../../../src/pages/shared/check/kept-file.ts'
import * as consensus from '../../../../src/verifier/consensus/index.ts'
import { type DonationProof, verifyProof } from '../../../../src/verifier/index.ts'
import { type Kind, makeProof } from '../../verifier/support/made-proof.ts'
import { checkMade, walletOf } from './support/check-made.ts'

const check = (
  change?: (request: CheckRequest, proof: DonationProof) => Partial<CheckRequest>,
  kind: Kind = 'token',
): Promise<CheckOutcome> => checkMade({ kind, ...(change ? { change } : {}) })

const keptFrom = (document: unknown) => {
  const chosen = readChosen(JSON.stringify(document))
  if (chosen?.kind !== 'kept') throw new Error('This is no kept file.')
  return chosen.kept
}

const otherX = 'A'.repeat(43)
const headOf = ({ donation, ledger }: DonationProof) => {
  const [seal] = ledger.seals
  if (!seal) throw new Error('A made proof has a seal.')
  return { campaignId: donation.campaignId, seq: seal.seq, head: seal.head, keyId: seal.keyId }
}

describe('the committee as a source', () => {
  const block = { chainId: 5, number: 7 }
  const checkpoint = `0x${'ab'.repeat(32)}`

  test('names no hash for a proof without finality, without updates, or with other data', () => {
    const ask = (finality: unknown, updates: unknown) =>
      committeeAnswer(
        consensus,
        { checkpoint, finality: finality as DonationProof['finality'], updates },
        block,
      )
    expect(ask(undefined, null)).toMatchObject({ hash: null, problem: 'no_updates' })
    expect(ask({}, null)).toMatchObject({ hash: null, problem: 'no_updates' })
    expect(ask({}, { updates: [] })).toMatchObject({
      ...{ hash: null, problem: 'not_proven', why: 'The file of updates has no chainId.' },
    })
  })
})

describe('a source of block hashes', () => {
  const block = { chainId: 5, number: 7 }
  const sourceOf = (request: BlockSource['request']): BlockSource => ({ name: 'A wallet', request })

  test('has no hash if it hangs, fails or answers with something else', async () => {
    const problemOf = async (request: BlockSource['request']) =>
      (await askSource(sourceOf(request), block, 20)).problem
    expect(await problemOf(() => new Promise(() => {}))).toBe('no_answer')
    expect(await problemOf(() => Promise.reject(new Error('locked')))).toBe('no_answer')
    expect(await problemOf(async () => '0x5')).toBe('no_block')
    expect(await problemOf(async () => null)).toBe('other_chain')
  })

  test('is also a text with a hash in it, such as the address of an explorer', () => {
    const hash = `0x${'aB'.repeat(32)}`
    const lower = { source: 'you', hash: hash.toLowerCase(), problem: null }
    expect(pastedAnswer(` https://explorer.example/block/${hash}?x=1`)).toEqual(lower)
    expect(pastedAnswer(`${hash}00`)).toBeNull()
    expect(pastedAnswer('0x12')).toBeNull()
  })
})

describe('the check of a proof with the sources of a donor', () => {
  test('proves a donation by the block that the wallet knows', async () => {
    const outcome = await check()
    expect(outcome).toMatchObject({ verdict: 'proven', keySource: 'site', level: 'transaction' })
    expect(outcome.checks.at(-1)).toMatchObject({ name: 'page', ok: true })
  })

  test('proves it by a hash that the donor pasted, without a wallet', async () => {
    const outcome = await check((_, { block }) => ({
      sources: [],
      pasted: { source: 'you', hash: block.hash, problem: null },
    }))
    expect(outcome.verdict).toBe('proven')
  })

  test('asks for a hash if no source knows one, and names no step that holds as wrong', async () => {
    const none = await check(() => ({ sources: [] }))
    expect(none.verdict).toBe('needs_hash')
    expect(none.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['chain'])
    const away = await check((_, { block }) => ({ sources: [walletOf(1, block)] }))
    expect(away).toMatchObject({ verdict: 'needs_hash', answers: [{ problem: 'other_chain' }] })
  })

  test('says that a source has another block', async () => {
    const hash = `0x${'00'.repeat(32)}`
    const outcome = await check((_, { chainId, block }) => ({
      sources: [walletOf(chainId, { ...block, hash })],
    }))
    expect(outcome).toMatchObject({ verdict: 'other_block', answers: [{ hash }] })
  })

  test('does not prove a donation to a page of another donation', async () => {
    const outcome = await check(({ expected }) => ({
      expected: expected && { ...expected, id: '01900000-0000-7000-8000-0000000000ff' },
    }))
    expect(outcome.verdict).toBe('other_donation')
  })

  test('does not count a key that neither the site nor the donor names', async () => {
    const outcome = await check(() => ({ siteKeys: [{ x: otherX }] }))
    expect(outcome).toMatchObject({ verdict: 'unknown_key', keySource: 'unknown' })
  })

  test('compares the key with the file that the donor kept', async () => {
    const same = await check((_, { ledger }) => ({ kept: keptFrom({ keys: ledger.keys }) }))
    expect(same).toMatchObject({ verdict: 'proven', keySource: 'kept' })
    const other = await check(() => ({ kept: keptFrom({ kty: 'OKP', x: otherX }) }))
    expect(other).toMatchObject({ verdict: 'other_key', keySource: 'kept' })
  })

  test('is never green for a key that the site does not name, with any file that the donor kept', async () => {
    const forgedWith = (keptOf: (proof: DonationProof) => unknown) =>
      check((_, proof) => ({ siteKeys: [{ x: otherX }], kept: keptFrom(keptOf(proof)) }))
    const byKeys = await forgedWith(({ ledger }) => ({ keys: ledger.keys }))
    expect(byKeys).toMatchObject({ verdict: 'unknown_key', keySource: 'kept' })
    expect(wordsOf(byKeys)).toContain('own_key')
    const byHead = await forgedWith(headOf)
    expect(byHead).toMatchObject({ verdict: 'unknown_key', keySource: 'kept' })
    const byOther = await forgedWith(() => ({ keys: [{ x: otherX }] }))
    expect(byOther.verdict).toBe('other_key')
  })

  test('compares the ledger with a head that the donor kept', async () => {
    const same = await check((_, proof) => ({ kept: keptFrom(headOf(proof)) }))
    expect(same).toMatchObject({ verdict: 'proven', keySource: 'kept' })
    const changed = await check((_, proof) => ({
      kept: keptFrom({ ...headOf(proof), head: `0x${'00'.repeat(32)}` }),
    }))
    expect(changed.verdict).toBe('other_history')
    const signer = await check((_, proof) => ({
      kept: keptFrom({ ...headOf(proof), keyId: 'another' }),
    }))
    expect(signer.verdict).toBe('other_key')
  })

  test('asks before it accepts a proof of the balance only', async () => {
    expect((await check(undefined, 'call')).verdict).toBe('lower_level')
    const accepted = await check(() => ({ accept: ['transaction', 'balance'] }), 'call')
    expect(accepted).toMatchObject({ verdict: 'proven', level: 'balance' })
  })

  test('finds a changed amount, and a document that is no proof', async () => {
    const changed = await check((_, proof) => ({
      proof: { ...proof, donation: { ...proof.donation, amount: '1' } },
    }))
    expect(changed.verdict).toBe('failed')
    const none = await check(() => ({ proof: { donation: {}, ledger: {} } }))
    expect(none).toMatchObject({ verdict: 'not_a_proof', proof: null, keyIds: [] })
  })

  test.each(['token', 'native', 'call'] as const)(
    'leaves as many words to trust as the verifier names, for a payment by %s',
    async (kind) => {
      const { proof, trust } = await makeProof(kind)
      const { trusted } = await verifyProof(proof, trust)
      const outcome = await check(() => ({ accept: ['transaction', 'balance'] }), kind)
      expect(wordsOf(outcome)).toHaveLength(trusted.length)
      const unknown = await check(() => ({ sources: [], siteKeys: [{ x: otherX }] }), kind)
      expect(wordsOf(unknown).slice(0, 2)).toEqual(['no_source', 'unknown_key'])
    },
  )
})
