import { keccak_256 } from '@noble/hashes/sha3'
import { DomainError } from '../errors.ts'
import { createLru } from '../lru.ts'

/**
 * An account on an EVM chain. The service stores addresses in lower case, and returns them with an
 * EIP-55 checksum, which catches typing errors. In requests, the checksum is optional.
 */
type LedgerAccount = { chainId: number | null; address: string }

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** An account id of an EVM chain in the form of CAIP-10: `eip155:<chain id>:<address>`. */
const CAIP_10 = /^eip155:([1-9]\d{0,15}):(0x[0-9a-fA-F]{40})$/
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

const REMEMBERED = 10_000
/** Caches checksums, because the same addresses repeat and Keccak is slow in JavaScript. */
const written = createLru<string>(REMEMBERED)

/** Adds the EIP-55 checksum to a lower-case address. */
export const toChecksumAddress = (lower: string): string => {
  const known = written.get(lower)
  if (known !== undefined) return known
  const digits = lower.slice(2)
  const hash = keccak_256(digits)
  let checked = '0x'
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charAt(index)
    const byte = hash[index >> 1] ?? 0
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 0x0f
    checked += nibble >= 8 ? digit.toUpperCase() : digit
  }
  written.set(lower, checked)
  return checked
}

/**
 * Reads an address: all lower-case, all upper-case, or with a correct EIP-55 checksum.
 *
 * @returns the address in lower case
 * @throws DomainError `invalid_input` if `text` is no address or has a wrong checksum
 */
export const parseAddress = (text: string): string => {
  if (!ADDRESS.test(text)) {
    throw new DomainError('invalid_input', 'An address is 0x and 40 hexadecimal digits.')
  }
  const digits = text.slice(2)
  const lower = text.toLowerCase()
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!oneCase && text !== toChecksumAddress(lower)) {
    throw new DomainError('invalid_input', 'The address has a wrong EIP-55 checksum.')
  }
  return lower
}

/**
 * Reads a receiving account: a plain address, or a CAIP-10 text, which also names the chain.
 *
 * @returns the account; `chainId` is null for a plain address
 * @throws DomainError `invalid_input` if `text` is no account or is the zero address
 */
export const parseLedgerAccount = (text: string): LedgerAccount => {
  const [, chain, account] = CAIP_10.exec(text) ?? []
  const address = parseAddress(account ?? text)
  const chainId = chain === undefined ? null : Number(chain)
  if (chainId !== null && !Number.isSafeInteger(chainId)) {
    throw new DomainError('invalid_input', 'The chain id is too large.')
  }
  if (address === ZERO_ADDRESS) {
    throw new DomainError('invalid_input', 'The zero address cannot receive donations.')
  }
  return { chainId, address }
}

/** Writes an account as a CAIP-10 text with the EIP-55 checksum. */
export const formatLedgerAccount = (chainId: number, address: string): string =>
  `eip155:${chainId}:${toChecksumAddress(address)}`
