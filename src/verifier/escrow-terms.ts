import { fromHex, toHex } from './bytes.ts'

/** The bytes before the verifiers, and the bytes of each verifier and each milestone. */
const FIXED = 127
const VERIFIER = 20
const MILESTONE = 17

/**
 * Whether the rules of the contract let the factory deploy an escrow with these packed terms. If
 * not, money at the address is lost, because no contract can be there.
 */
export const areDeployable = (terms: string): boolean => {
  const bytes = fromHex(terms)
  const [quorum = 0, surplus = 0, verifierCount = 0, milestoneCount = 0] = bytes.subarray(123)
  if (bytes.length !== FIXED + VERIFIER * verifierCount + MILESTONE * milestoneCount) return false
  let at = 0
  const next = (length: number): bigint => {
    at += length
    return BigInt(toHex(bytes.subarray(at - length, at)))
  }
  const campaign = next(32)
  const [recipient, creator, asset] = [next(20), next(20), next(20)]
  const target = next(16)
  const [deadline, activateBy, expiry] = [next(5), next(5), next(5)]
  at = FIXED
  const verifiers = Array.from({ length: verifierCount }, () => next(VERIFIER))
  const milestones = Array.from({ length: milestoneCount }, () => [next(16), next(1)] as const)
  return (
    [campaign, recipient, creator, asset, target, deadline].every((value) => value > 0n) &&
    recipient !== asset &&
    deadline <= activateBy &&
    activateBy <= expiry &&
    surplus <= 1 &&
    verifierCount > 0 &&
    verifierCount <= 16 &&
    verifiers.every((verifier, index) => verifier > (verifiers[index - 1] ?? 0n)) &&
    quorum <= verifierCount &&
    2 * quorum > verifierCount &&
    milestoneCount > 0 &&
    milestoneCount <= 32 &&
    milestones.every(
      ([amount, required]) => amount > 0n && required > 0n && required <= verifierCount,
    ) &&
    milestones.reduce((sum, [amount]) => sum + amount, 0n) === target
  )
}
