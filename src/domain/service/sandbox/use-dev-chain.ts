import { createECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3'
import type { Context } from '../../../db/context.ts'
import type { DevChain } from '../../../kernel/dev-chain.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress, toChecksumAddress } from '../../../kernel/formats/address.ts'
import { parseUnits } from '../../../kernel/money/money.ts'

/** The faucet gives these amounts of the native coin (to pay for gas) and of each token. */
const FAUCET = { native: '10', erc20: '10000' }
/** The largest native transfer: 10 000 ether in wei. The sending account has far more than this. */
const MAX_NATIVE_UNITS = 10n ** 22n

/**
 * Makes a secp256k1 key and its EIP-55 address: the last 20 bytes of the Keccak-256 hash of the
 * uncompressed public key without its first byte (Yellow Paper, appendix F). Stores nothing.
 */
export const createTestWallet = (): { address: string; privateKey: string } => {
  const pair = createECDH('secp256k1')
  const publicKey = pair.generateKeys()
  const hash = Buffer.from(keccak_256(publicKey.subarray(1)))
  return {
    address: toChecksumAddress(`0x${hash.toString('hex', 12)}`),
    privateKey: `0x${pair.getPrivateKey('hex').padStart(64, '0')}`,
  }
}

/**
 * Sends test money to an address. Returns the amounts, which arrive with the next blocks.
 *
 * @throws DomainError `unavailable` if the node does not answer; `invalid_input` if the address has
 *   a wrong checksum; `conflict` if the node refuses the transaction
 */
export const fundAddress = async (
  { settings }: Context,
  chain: DevChain,
  { address }: { address: string },
) => {
  const to = inField('address', () => parseAddress(address))
  const given = settings.assets.all.flatMap(({ kind, chainId, address: token, ...asset }) =>
    kind !== 'fiat' && chainId === chain.chainId ? [{ ...asset, token, value: FAUCET[kind] }] : [],
  )
  const txHashes = await chain.fund(
    given.map(({ token, value, decimals }) => ({ to, token, units: parseUnits(value, decimals) })),
  )
  return { amounts: given.map(({ value, symbol: currency }) => ({ value, currency })), txHashes }
}

/**
 * Sends a transaction as a donor's wallet does. The returned addresses have an EIP-55 checksum.
 *
 * @throws DomainError `invalid_input` for an invalid address; `invalid_amount` for an amount that
 *   is too large or too precise; `unknown_currency` if the chain does not have the currency;
 *   `unavailable` if the node does not answer; `conflict` if the node refuses the transaction
 */
export const sendTransfer = async (
  { settings }: Context,
  chain: DevChain,
  input: { to: string; amount: string; currency: string },
) => {
  const { chainId } = chain
  const to = inField('to', () => parseAddress(input.to))
  const asset = settings.assets.bySymbol(input.currency, chainId)
  if (asset.kind === 'fiat') {
    throw new DomainError('unknown_currency', `${input.currency} cannot be sent on a chain.`)
  }
  const units = parseUnits(input.amount, asset.decimals)
  if (asset.kind === 'native' && units > MAX_NATIVE_UNITS) {
    throw new DomainError('invalid_amount', 'The sandbox sends at most 10 000 at once.')
  }
  const { txHash, from } = await chain.transfer({ to, token: asset.address, units })
  return { txHash, from: toChecksumAddress(from), to: toChecksumAddress(to), chainId }
}

/**
 * Removes a transaction, and later transactions of its sender, from the development chain. Returns
 * the number of replaced blocks: 0 if the transaction was not mined yet.
 *
 * @throws DomainError `not_found` for an unknown transaction; `unavailable` if the node does not
 *   answer; `conflict` if the node refuses, or if the block is more than 100 blocks deep
 */
export const dropTransaction = async (
  { log }: Context,
  chain: DevChain,
  { txHash }: { txHash: string },
): Promise<{ replacedBlocks: number }> => {
  const replacedBlocks = await chain.drop(txHash)
  if (replacedBlocks === null) {
    throw new DomainError('not_found', 'The development chain does not know this transaction.')
  }
  const { chainId } = chain
  log.info({ chainId, txHash, replacedBlocks }, 'a transaction was dropped on demand')
  return { replacedBlocks }
}

/**
 * Replaces the newest `depth` blocks of the development chain by empty blocks.
 *
 * @throws DomainError `unavailable` if the node does not answer; `conflict` if the chain has at
 *   most `depth` blocks
 */
export const reorganise = async (
  { log }: Context,
  chain: DevChain,
  { depth }: { depth: number },
): Promise<void> => {
  await chain.reorg(depth)
  log.info({ chainId: chain.chainId, depth }, 'blocks were replaced on demand')
}
