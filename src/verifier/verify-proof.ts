import { Refusal } from './bytes.ts'
import {
  checkBalance,
  checkExtent,
  checkHeader,
  checkPayment,
  checkReceipt,
  checkTransaction,
} from './chain-checks.ts'
import { checkEntries } from './entry-checks.ts'
import { checkEscrow } from './escrow.ts'
import { checkHeads, checkPaths, checkSignatures } from './ledger-checks.ts'
import { type DonationProof, readProof } from './proof.ts'

/**
 * The parts of a donation that the chain proves:
 * - `transaction`: the block, the transaction, its receipt and the payment.
 * - `receipt`: the block, the receipt and the payment, but not the transaction's hash, because the
 *   chain's transactions cannot be encoded.
 * - `balance`: the block, the transaction, its receipt, and a rise of the account's balance by at
 *   least the amount, but not that this transaction caused the rise.
 */
export type Level = 'transaction' | 'receipt' | 'balance'

/** One step of the verification, and its result. */
export type Check = { name: string; ok: boolean; why: string }

export type VerificationResult = {
  /** Whether all checks passed and a key that the user trusts signed the proof's `ledger`. */
  ok: boolean
  /** `trusted` if the user gave keys to check the signatures with; `unknown` without such keys. */
  signer: 'trusted' | 'unknown'
  /** The level that is proven if `ok` is true; null if the input is not a proof. */
  level: Level | null
  checks: Check[]
  /** The parties that the user must trust, each with the fact that the party vouches for. */
  trusted: string[]
}

/** The hash of a block, as one source reports it. Null if the source does not know the block. */
export type HeaderAnswer = { source: string; hash: string | null }

export type Trust = {
  /** Asks the user's sources for a block's hash, which `verifyProof` compares with the proof. */
  headers(block: { chainId: number; number: number }): Promise<readonly HeaderAnswer[]>
  /**
   * The service's keys, as JWK, from a source that the user trusts. Without these keys, signatures
   * are only checked with the keys in the proof, and the result is not `ok`.
   */
  keys?: readonly { x: string }[]
  /** The levels that the user accepts. Default: only `transaction`. */
  accept?: readonly Level[]
}

/**
 * Checks the proof of a donation step by step, without the service and its database. The user's own
 * sources confirm the block hash, and the service's signature confirms the ledger entries. Never
 * throws, for any input.
 */
export const verifyProof = async (input: unknown, trust: Trust): Promise<VerificationResult> => {
  const checks: Check[] = []
  const run = <T extends { why: string }>(name: string, step: () => T): T | undefined => {
    try {
      const result = step()
      checks.push({ name, ok: true, why: result.why })
      return result
    } catch (error) {
      checks.push({ name, ok: false, why: whyOf(error) })
      return undefined
    }
  }

  const read = run('format', () => {
    const proof = readProof(input)
    checkExtent(proof)
    return {
      proof,
      why: `The proof is of version ${proof.version}, complete and without additions.`,
    }
  })
  const signer = trust.keys === undefined ? 'unknown' : 'trusted'
  if (read === undefined) return { ok: false, signer, level: null, checks, trusted: [] }
  const { proof } = read

  const header = run('header', () => checkHeader(proof))
  const trusted = [await checkChain(proof, trust, checks)]
  const level = levelOf(proof)
  if (header) {
    const receipt = run('receipt', () => checkReceipt(proof, header.value))
    const transaction = run('transaction', () => checkTransaction(proof, header.value))
    const terms = proof.escrow
    const escrow = terms === undefined ? undefined : run('escrow', () => checkEscrow(proof, terms))
    if (receipt && transaction) {
      const countsAll = escrow !== undefined
      run('payment', () => checkPayment(proof, receipt.value, transaction.value, countsAll))
    }
    if (proof.balance !== null) run('balance', () => checkBalance(proof, header.value))
  }
  run('level', () => checkLevel(level, trust.accept ?? ['transaction']))
  run('entries', () => ({ why: checkEntries(proof) }))
  run('inclusion', () => ({ why: checkPaths(proof) }))
  run('head', () => ({ why: checkHeads(proof) }))
  await checkSigned(proof, trust, checks)
  if (signer === 'trusted') trusted.push("you, for the service's key")
  trusted.push('the service, for not having reversed the entries later')
  if (proof.ledger.entries.some((entry) => entry.kind === 'conversion')) {
    trusted.push('the service, for the price at which it counts the payment')
  }
  if (level === 'receipt') trusted.push('the service, for the transaction of the receipt')
  if (level === 'balance') trusted.push('the service, for the transaction that raised the balance')
  const ok = signer === 'trusted' && checks.every((check) => check.ok)
  return { ok, signer, level, checks, trusted }
}

/** Compares the block hash with the user's sources. The check fails if `headers` throws. */
const checkChain = async (proof: DonationProof, trust: Trust, checks: Check[]): Promise<string> => {
  const { chainId, block } = proof
  const add = (ok: boolean, why: string) => checks.push({ name: 'chain', ok, why })
  try {
    const answers = await trust.headers({ chainId, number: block.number })
    const known = answers.filter((answer) => answer.hash !== null)
    const other = known.find((answer) => answer.hash !== block.hash)
    const names = known.map((answer) => answer.source).join(', ')
    if (other) add(false, `${other.source} has another block ${block.number}: ${other.hash}.`)
    else if (known.length === 0) add(false, `No source knows block ${block.number}.`)
    else add(true, `Block ${block.number} has that hash according to ${names}.`)
    return `${names || 'no source'}, for the hash of block ${block.number} of chain ${chainId}`
  } catch (error) {
    add(false, `The sources could not be read: ${whyOf(error)}`)
    return 'no source, for the hash of the block'
  }
}

const checkSigned = async (proof: DonationProof, trust: Trust, checks: Check[]): Promise<void> => {
  const name = 'signature'
  try {
    checks.push({ name, ok: true, why: await checkSignatures(proof, trust.keys) })
  } catch (error) {
    checks.push({ name, ok: false, why: whyOf(error) })
  }
}

const levelOf = ({ donation, transaction }: DonationProof): Level => {
  if (donation.position < -1) return 'balance'
  return transaction === null ? 'receipt' : 'transaction'
}

const checkLevel = (level: Level, accept: readonly Level[]): { why: string } => {
  if (accept.includes(level)) return { why: `The chain proves the donation at level ${level}.` }
  throw new Refusal(
    `The chain proves it at level ${level} only, and you accept ${accept.join(', ')}.`,
  )
}

const whyOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.message
  return `It could not be read: ${error instanceof Error ? error.message : String(error)}`
}
