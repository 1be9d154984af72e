/** Encodes the few contract calls that a page builds itself. */

const WORD = 64

/** The first four bytes of the hash of each function's signature. */
const TRANSFER = '0xa9059cbb'
const BALANCE_OF = '0x70a08231'

/** `transfer(address,uint256)` of ERC-20. `units` are base units as decimal text. */
export const transferCall = (to: string, units: string): string =>
  TRANSFER + addressWord(to) + numberWord(units)

/** `balanceOf(address)` of ERC-20. */
export const balanceCall = (owner: string): string => BALANCE_OF + addressWord(owner)

const addressWord = (address: string): string => address.slice(2).toLowerCase().padStart(WORD, '0')

const numberWord = (decimal: string): string => BigInt(decimal).toString(16).padStart(WORD, '0')
