/** Encodes the few contract calls that a page builds itself. */

const WORD = 64

/** The first four bytes of the hash of each function's signature. */
const TRANSFER = '0xa9059cbb'
const BALANCE_OF = '0x70a08231'
const DONATE_WITH_AUTHORIZATION = '0xf8072ead'

/** `transfer(address,uint256)` of ERC-20. `units` are base units as decimal text. */
export const transferCall = (to: string, units: string): string =>
  TRANSFER + addressWord(to) + numberWord(units)

/** `balanceOf(address)` of ERC-20. */
export const balanceCall = (owner: string): string => BALANCE_OF + addressWord(owner)

/**
 * `donateWithAuthorization(address,address,uint256,uint256,bytes32,bytes)` of the escrow.
 *
 * @param args all arguments except the signature, in their order
 * @param signature hex of any length, because contract wallets have long signatures
 */
export const donateWithAuthorizationCall = (args: readonly string[], signature: string): string => {
  const [from = '', refundTo = '', amount = '', validBefore = '', salt = ''] = args
  const bytes = signature.slice(2)
  const words = [
    addressWord(from),
    addressWord(refundTo),
    numberWord(amount),
    numberWord(validBefore),
    salt.slice(2).padStart(WORD, '0'),
    // The signature begins after six words of 32 bytes.
    numberWord(String(6 * 32)),
    numberWord(String(bytes.length / 2)),
    bytes.padEnd(Math.ceil(bytes.length / WORD) * WORD, '0'),
  ]
  return DONATE_WITH_AUTHORIZATION + words.join('')
}

const addressWord = (address: string): string => address.slice(2).toLowerCase().padStart(WORD, '0')

const numberWord = (decimal: string): string => BigInt(decimal).toString(16).padStart(WORD, '0')
