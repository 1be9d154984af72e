import { expect, test } from 'vitest'
import { checkHead, type NewestHead } from '../../../../src/pages/shared/check/check-head.ts'
import { readChosen } from '../../../../src/pages/shared/check/kept-file.ts'
import { isSigned, thumbprint } from '../../../../src/verifier/index.ts'
import { makeProof } from '../../verifier/support/made-proof.ts'

const verifier = { isSigned, thumbprint }
const OTHER = `0x${'00'.repeat(32)}`

/** A head as the API gives it, and the check of its file with the changes of a test. */
const setUp = async () => {
  const { proof } = await makeProof('token')
  const [seal] = proof.ledger.seals
  if (!seal) throw new Error('A made proof has a seal.')
  const { seq, head, globalHead, signature, keyId, sealedAt } = seal
  const { campaignId } = proof.donation
  const file = { campaignId, seq, head, globalHead, signature, keyId, sealedAt, entries: 1 }
  const keys = proof.ledger.keys.map(({ x }) => ({ x }))
  const check = (change: object, newest: NewestHead, siteKeys = keys) => {
    const chosen = readChosen(JSON.stringify({ ...file, ...change }))
    if (chosen?.kind !== 'kept' || chosen.kept.kind !== 'head') throw new Error('This is no head.')
    return checkHead(verifier, chosen.kept, siteKeys, newest)
  }
  return { check, seq, head }
}

test('compares a head that the site has signed with its newest head', async () => {
  const { check, seq, head } = await setUp()
  expect(await check({}, { seq, head })).toBe('current')
  expect(await check({}, { seq: seq + 1, head: OTHER })).toBe('older')
  expect(await check({}, null)).toBe('alone')
  expect(await check({}, { seq, head: OTHER })).toBe('other')
  expect(await check({}, { seq: seq - 1, head: OTHER })).toBe('other')
})

test('proves no head that was changed, has no signature, or is of another key', async () => {
  const { check, seq, head } = await setUp()
  const newest = { seq, head }
  expect(await check({ head: OTHER }, newest)).toBe('unsigned')
  expect(await check({ seq: seq + 1 }, newest)).toBe('unsigned')
  expect(await check({ signature: undefined }, newest)).toBe('unsigned')
  expect(await check({}, newest, [{ x: 'A'.repeat(43) }])).toBe('unsigned')
})
