import { id } from 'ethers'
import type { PinnedBlock, StateReader } from '../state/state-reader.ts'

/** The arguments of `isValidSignature`: the hash 0x11…11, and 65 bytes 0x00 as the signature. */
const QUESTION = [
  '1626ba7e',
  '11'.repeat(32),
  '40'.padStart(64, '0'),
  '41'.padStart(64, '0'),
  '00'.repeat(96),
].join('')

/**
 * Creation code for `eth_call` without `to`. Its result is 1 if an account has a key or answers
 * EIP-1271, and otherwise 0.
 *
 * A contract answers EIP-1271 if `isValidSignature` ends in another way than a function that it
 * lacks, with the same arguments: other success, other length, or other first four bytes. This also
 * finds wallets that revert for a wrong signature, and no routers that refuse unknown functions.
 *
 * @param account 0x and 40 hex digits
 */
const walletProbe = (account: string): string => {
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

/** Functions of a Safe, and of an account by ERC-4337, which may lack EIP-1271. */
const VIEWS = ['getThreshold()', 'getOwners()', 'entryPoint()', 'getNonce()']
const GAS = 1_500_000
const WORD = /^0x(?!0{64}$)[0-9a-f]{64}$/

/**
 * Whether an account is a wallet, so that its owner can use money that it gets: a plain key, also
 * with a delegation (EIP-7702), or a contract that answers as a wallet: EIP-1271, a Safe of any
 * version, an account by ERC-4337. False for bridges, exchanges' contracts and others.
 *
 * @throws ChainError without a quorum
 */
export const readIsWallet = async (
  reader: Pick<StateReader, 'calls'>,
  block: PinnedBlock,
  account: string,
): Promise<boolean> => {
  const views = VIEWS.map((name) => ({ to: account, data: id(name).slice(0, 10), gas: GAS }))
  const probe = { data: walletProbe(account), gas: GAS }
  const results = await reader.calls(block, [probe, ...views])
  const [answers, threshold, owners, entryPoint, nonce] = results.map((result) => result ?? '')
  const isSafe =
    WORD.test(threshold ?? '') && /^0x0{62}20(?!0{64})[0-9a-f]{128,}$/.test(owners ?? '')
  const isAccount = WORD.test(entryPoint ?? '') && /^0x[0-9a-f]{64}$/.test(nonce ?? '')
  return isSafe || isAccount || WORD.test(answers ?? '')
}
