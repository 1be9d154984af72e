import { AbiCoder, concat, getBytes, keccak256 } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Leaf, refundRoot, refundTree } from '../../../src/chain/escrow/merkle.ts'

/** As OpenZeppelin's MerkleProof: it knows no tree, only pairs. */
const verify = (
  root: string,
  { asset, donor, amount }: Leaf,
  proof: readonly string[],
): boolean => {
  const encoded = AbiCoder.defaultAbiCoder().encode(
    ['address', 'address', 'uint256'],
    [asset, donor, amount],
  )
  let node = keccak256(getBytes(keccak256(encoded)))
  for (const sibling of proof) {
    const pair = BigInt(node) < BigInt(sibling) ? [node, sibling] : [sibling, node]
    node = keccak256(concat(pair))
  }
  return node === root
}

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((b) => `0x${Buffer.from(b).toString('hex')}`)
const leaf = fc.record({
  asset: hex(20),
  donor: hex(20),
  amount: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
})
const leaves = fc.uniqueArray(leaf, {
  minLength: 1,
  maxLength: 70,
  selector: (one) => `${one.asset} ${one.donor}`,
})

test('each leaf has a proof that pairs alone verify, at most as long as the tree is high', async () => {
  await fc.assert(
    fc.asyncProperty(leaves, async (all) => {
      const { root, proofOf } = await refundTree(all)
      for (const one of all) {
        const proof = proofOf(one) ?? []
        expect(verify(root, one, proof)).toBe(true)
        expect(proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(all.length)))
      }
    }),
    { numRuns: 60 },
  )
})

test('no proof verifies another amount, donor or asset', async () => {
  await fc.assert(
    fc.asyncProperty(leaves, leaf, async (all, other) => {
      const { root, proofOf } = await refundTree(all)
      const [first] = all
      if (!first) return
      const proof = proofOf(first) ?? []
      for (const change of [
        { amount: other.amount },
        { donor: other.donor },
        { asset: other.asset },
      ]) {
        const changed = { ...first, ...change }
        const isSame = JSON.stringify(changed) === JSON.stringify(first)
        expect(verify(root, changed, proof)).toBe(isSame)
        if (!isSame) expect(proofOf(changed)).toBeUndefined()
      }
    }),
    { numRuns: 60 },
  )
})

test('the order of the leaves does not change the root', async () => {
  await fc.assert(
    fc.asyncProperty(leaves, async (all) => {
      expect(await refundRoot(all.toReversed())).toBe(await refundRoot(all))
    }),
    { numRuns: 30 },
  )
})

test('refuses a tree without leaves', async () => {
  await expect(refundRoot([])).rejects.toThrow(RangeError)
})
