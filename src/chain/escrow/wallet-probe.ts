/** The arguments of `isValidSignature`: the hash 0x11…11, and 65 bytes 0x00 as the signature. */
const QUESTION = [
  '1626ba7e',
  '11'.repeat(32),
  '40'.padStart(64, '0'),
  '41'.padStart(64, '0'),
  '00'.repeat(96),
].join('')

/**
 * Creation code for `eth_call` without `to`. It asks whether an account can be a donor, because it
 * has a key or answers EIP-1271. {@link isDonorAccount} reads the result.
 *
 * A contract answers EIP-1271 if `isValidSignature` ends in another way than a function that it
 * lacks, with the same arguments: other success, other length, or other first four bytes. This also
 * finds wallets that revert for a wrong signature, and no routers that refuse unknown functions.
 *
 * @param account 0x and 40 hex digits
 */
export const donorProbe = (account: string): string => {
  const pushAccount = `73${account.slice(2).toLowerCase()}`
  // staticcall(500 000 gas, account, 0, 196, 256, 4), then the length and the first four bytes.
  const ask = `600461010060c46000${pushAccount}6207a120fa3d61010051`
  // mem[0] ^= 0xffffffff << 224 makes a selector that no function has; mem[256] = 0.
  const changeSelector = '60005163ffffffff60e01b18600052600061010052'
  // Whether success, length or bytes of the two answers differ.
  const differ = '831890841817908418171515'
  const hasNoCode = `${pushAccount}3b15`
  // Whether the code begins with 0xef01: the account has a key, and delegates (EIP-7702).
  const delegates = `60026000610120${pushAccount}3c6101205160f01c61ef0114`
  const run = `${ask}${changeSelector}${ask}${differ}${hasNoCode}17${delegates}1760005260206000f3`
  const load = (offset: number) => `60c461${offset.toString(16).padStart(4, '0')}600039`
  const codeBytes = (load(0).length + run.length) / 2
  return `0x${load(codeBytes)}${run}${QUESTION}`
}

/** Reads the result of {@link donorProbe}. Null for a result of another form. */
export const isDonorAccount = (result: string | null): boolean | null =>
  result !== null && /^0x0{63}[01]$/.test(result) ? result.endsWith('1') : null
