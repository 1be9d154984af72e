import { expect, test } from 'vitest'
import {
  type DonationProof,
  type VerificationResult,
  verifyProof,
} from '../../../src/verifier/index.ts'
import { hasChromium, runInChromium } from '../../support/browser-page.ts'
import { type Kind, makeProof } from './support/made-proof.ts'

if (!hasChromium) console.warn('Without /usr/bin/chromium the verifier is not tried in a browser.')

/** A proof, the trusted keys, and the hash that sources give for the proof's block. */
type Vector = { proof: DonationProof; keys: { x: string }[]; hash: string }

/** Runs in Node and in the page, which gets the source text of this function. */
const verifyAll = (
  verify: typeof verifyProof,
  vectors: readonly Vector[],
): Promise<VerificationResult[]> =>
  Promise.all(
    vectors.map(({ proof, keys, hash }) =>
      verify(proof, {
        keys,
        accept: ['transaction', 'balance'],
        headers: async () => [{ source: 'a node', hash }],
      }),
    ),
  )

/** Makes a valid proof of each kind, and some invalid proofs. */
const makeVectors = async (): Promise<Vector[]> => {
  const vectors: Vector[] = []
  for (const kind of ['token', 'native', 'call'] as Kind[]) {
    const { proof, trust } = await makeProof(kind)
    const good = { proof, keys: [...(trust.keys ?? [])], hash: proof.block.hash }
    const change = (part: Partial<DonationProof>) => ({ ...good, proof: { ...proof, ...part } })
    const [seal, ...seals] = proof.ledger.seals
    if (!seal) throw new Error('A made proof has a seal.')
    const signature = seal.signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    vectors.push(
      good,
      { ...good, keys: [{ x: 'A'.repeat(43) }] },
      { ...good, hash: `0x${'00'.repeat(32)}` },
      change({ index: proof.index + 1 }),
      change({ donation: { ...proof.donation, amount: '1' } }),
      change({ ledger: { ...proof.ledger, seals: [{ ...seal, signature }, ...seals] } }),
      change({ ledger: { ...proof.ledger, entries: [] } }),
    )
  }
  return vectors
}

const PAGE = `
import { verifyProof } from './src/verifier/index.ts'
const verifyAll = ${verifyAll}
const vectors = await (await fetch('/data')).json()
const body = JSON.stringify(await verifyAll(verifyProof, vectors))
await fetch('/results', { method: 'POST', body })
`

test.skipIf(!hasChromium)('says the same of the same proofs in Chromium as in Node', async () => {
  const vectors = await makeVectors()
  const results = JSON.parse(await runInChromium(PAGE, vectors)) as VerificationResult[]
  expect(results).toEqual(JSON.parse(JSON.stringify(await verifyAll(verifyProof, vectors))))
  expect(results.map(({ ok }) => ok)).toEqual(
    vectors.map((_, index) => index % (vectors.length / 3) === 0),
  )
})
