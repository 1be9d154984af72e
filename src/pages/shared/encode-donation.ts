/** Encodes the call of an escrow. A page loads it only to give to an escrow. */

const WORD = 64

/** The first four bytes of the hash of the function's signature. */
const DONATE_WITH_AUTHORIZATION = '0xf8072ead'

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
    word(from),
    word(refundTo),
    numberWord(amount),
    numberWord(validBefore),
    word(salt),
    // The signature begins after six words of 32 bytes.
    numberWord(String(6 * 32)),
    numberWord(String(bytes.length / 2)),
    bytes.padEnd(Math.ceil(bytes.length / WORD) * WORD, '0'),
  ]
  return DONATE_WITH_AUTHORIZATION + words.join('')
}

/** Hex with 0x as 32 bytes. */
const word = (hex: string): string => hex.slice(2).toLowerCase().padStart(WORD, '0')

const numberWord = (decimal: string): string => word(`0x${BigInt(decimal).toString(16)}`)
