import { encodeAddress, walletProbe } from '../../../contracts-abi/index.ts'
import type { PinnedBlock, StateReader } from './state-reader.ts'

/** Seven calls of at most 500 000 gas each, and the code of the probe. */
const GAS = 4_500_000

/**
 * Whether an account is a wallet, so that its owner can use money that it gets: a plain key, also
 * with a delegation (EIP-7702), or a contract that answers as a wallet: EIP-1271, a Safe of any
 * version, an account by ERC-4337. False for bridges, routers, tokens and others.
 *
 * @throws ChainError without a quorum
 */
export const readIsWallet = async (
  reader: Pick<StateReader, 'probe'>,
  block: PinnedBlock,
  account: string,
): Promise<boolean> => {
  const data = encodeAddress(walletProbe.bytecode, account)
  return (await reader.probe(block, { data, gas: GAS })) === '0x01'
}
