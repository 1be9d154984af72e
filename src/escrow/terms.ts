import type { Hex } from '../../contracts-abi/index.ts'

/** The terms of an escrow. Addresses are lower case with 0x, amounts are in base units. */
export type EscrowTerms = {
  /** The hash that names the campaign: 0x and 64 hex digits. */
  campaign: string
  recipient: string
  /** The account that may cancel. */
  creator: string
  /** The ERC-20 token that the escrow holds. */
  asset: string
  target: bigint
  /** The last second for `donate`. This time and the next two are Unix times in seconds. */
  deadline: number
  /** The last second in which the escrow can become active. */
  activateBy: number
  /** The last second for `release`. */
  expiry: number
  /** The signatures that a termination and returns need: more than half of the verifiers. */
  quorum: number
  /**
   * Whether the recipient, and not the donors, gets what is above the milestones. After the expiry,
   * any account may give it to the donors.
   */
  surplusToRecipient: boolean
  /** The addresses of the verifiers, in rising order. */
  verifiers: string[]
  /** `required` is the number of signatures that a release needs. Amounts sum to the target. */
  milestones: { amount: bigint; required: number }[]
}

/** The fields before verifiers and milestones, with their lengths in bytes. */
const LENGTHS = {
  campaign: 32,
  recipient: 20,
  creator: 20,
  asset: 20,
  target: 16,
  deadline: 5,
  activateBy: 5,
  expiry: 5,
  quorum: 1,
  surplus: 1,
  verifiers: 1,
  milestones: 1,
} as const
type Field = keyof typeof LENGTHS

const FIXED = Object.values(LENGTHS).reduce((sum, length) => sum + length, 0)
const VERIFIER = 20
const AMOUNT = 16
const MILESTONE = AMOUNT + 1

const MAX_VERIFIERS = 16
const MAX_MILESTONES = 32

/**
 * The terms as the bytes that the contract reads. It does not check the rules.
 *
 * @throws RangeError if a value does not fit into its bytes
 */
export const packTerms = (terms: EscrowTerms): Hex => {
  const values: Record<Field, bigint | number | string> = {
    ...terms,
    surplus: terms.surplusToRecipient ? 1 : 0,
    verifiers: terms.verifiers.length,
    milestones: terms.milestones.length,
  }
  const fixed = FIELDS.map((name) => bytesOf(values[name], LENGTHS[name]))
  const verifiers = terms.verifiers.map((verifier) => bytesOf(verifier, VERIFIER))
  const milestones = terms.milestones.map(
    ({ amount, required }) => bytesOf(amount, AMOUNT) + bytesOf(required, 1),
  )
  return `0x${[...fixed, ...verifiers, ...milestones].join('')}`
}

/**
 * Reads packed terms. Checks the length, but no other rule.
 *
 * @throws RangeError if the text is not hex, or if its length contradicts its counts
 */
export const unpackTerms = (packed: string): EscrowTerms => {
  const raw = readTerms(packed)
  if (!raw) throw new RangeError('These bytes are not the terms of an escrow.')
  const { fields } = raw
  return {
    campaign: wordOf(fields.campaign, LENGTHS.campaign),
    recipient: wordOf(fields.recipient, LENGTHS.recipient),
    creator: wordOf(fields.creator, LENGTHS.creator),
    asset: wordOf(fields.asset, LENGTHS.asset),
    target: fields.target,
    deadline: Number(fields.deadline),
    activateBy: Number(fields.activateBy),
    expiry: Number(fields.expiry),
    quorum: Number(fields.quorum),
    surplusToRecipient: fields.surplus === 1n,
    verifiers: raw.verifiers.map((verifier) => wordOf(verifier, VERIFIER)),
    milestones: raw.milestones,
  }
}

/**
 * Returns the number of the first rule that the terms break, or 0. The contract's function `check`
 * returns the same number.
 *
 * @throws RangeError if the text is not hex
 */
export const checkTerms = (packed: string): number => {
  const raw = readTerms(packed)
  if (!raw) return 1
  const { fields, verifiers, milestones } = raw
  const broken: readonly [rule: number, isBroken: boolean][] = [
    [2, fields.campaign === 0n],
    [3, fields.recipient === 0n || fields.creator === 0n || fields.asset === 0n],
    [3, fields.recipient === fields.asset],
    [4, fields.target === 0n],
    [5, fields.deadline === 0n],
    [6, fields.activateBy < fields.deadline],
    [7, fields.expiry < fields.activateBy],
    [8, fields.surplus > 1n],
    [9, verifiers.length === 0 || verifiers.length > MAX_VERIFIERS],
    [10, verifiers.some((verifier, index) => verifier <= (verifiers[index - 1] ?? 0n))],
    [11, 2n * fields.quorum <= verifiers.length || fields.quorum > verifiers.length],
    [12, milestones.length === 0 || milestones.length > MAX_MILESTONES],
    [13, milestones.some(({ amount }) => amount === 0n)],
    [14, milestones.some(({ required }) => required === 0 || required > verifiers.length)],
    [15, milestones.reduce((sum, { amount }) => sum + amount, 0n) !== fields.target],
  ]
  return broken.find(([, isBroken]) => isBroken)?.[0] ?? 0
}

const FIELDS = Object.keys(LENGTHS) as Field[]

type RawTerms = {
  fields: Record<Field, bigint>
  verifiers: bigint[]
  milestones: EscrowTerms['milestones']
}

/** The numbers in packed terms, or null if the length does not fit the counts. */
const readTerms = (packed: string): RawTerms | null => {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(packed)) throw new RangeError('The terms are not hex.')
  const length = packed.length / 2 - 1
  let offset = 0
  const next = (bytes: number): bigint => {
    const start = 2 + 2 * offset
    offset += bytes
    return BigInt(`0x${packed.slice(start, start + 2 * bytes)}`)
  }
  if (length < FIXED) return null
  const fields = Object.fromEntries(
    FIELDS.map((name) => [name, next(LENGTHS[name])]),
  ) as RawTerms['fields']
  const counts = { verifiers: Number(fields.verifiers), milestones: Number(fields.milestones) }
  if (length !== FIXED + VERIFIER * counts.verifiers + MILESTONE * counts.milestones) return null
  return {
    fields,
    verifiers: Array.from({ length: counts.verifiers }, () => next(VERIFIER)),
    milestones: Array.from({ length: counts.milestones }, () => ({
      amount: next(AMOUNT),
      required: Number(next(1)),
    })),
  }
}

/** A number or a hex text as exactly this many bytes in hex, without 0x. */
const bytesOf = (value: bigint | number | string, length: number): string => {
  const number = BigInt(value)
  if (number < 0n || number >= 1n << BigInt(8 * length)) {
    throw new RangeError(`A value of the terms does not fit into ${length} bytes.`)
  }
  return number.toString(16).padStart(2 * length, '0')
}

const wordOf = (value: bigint, length: number): string => `0x${bytesOf(value, length)}`
