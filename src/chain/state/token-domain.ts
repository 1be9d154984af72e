import { AbiCoder, id, TypedDataEncoder } from 'ethers'
import type { TokenDomain } from '../../kernel/ports/contract-reader.ts'
import type { PinnedBlock, StateReader } from './state-reader.ts'

const GAS = 200_000

/** `authorizationState` shows that the token has ERC-3009. */
const CALLS = [
  'DOMAIN_SEPARATOR()',
  'name()',
  'version()',
  'eip712Domain()',
  'authorizationState(address,bytes32)',
].map((name) => id(name).slice(0, 10))

/**
 * Reads the EIP-712 domain of a token with ERC-3009. Returns null if the token has no ERC-3009, or
 * if neither `eip712Domain` (ERC-5267) nor `name` and `version` give its `DOMAIN_SEPARATOR`.
 */
export const readTokenDomain = async (
  reader: Pick<StateReader, 'chainId' | 'calls'>,
  block: PinnedBlock,
  token: string,
): Promise<TokenDomain | null> => {
  const calls = CALLS.map((selector, index) => ({
    to: token,
    data: index === CALLS.length - 1 ? selector + '0'.repeat(128) : selector,
    gas: GAS,
  }))
  const [separator, name, version, domain, state] = await reader.calls(block, calls)
  if (state?.length !== 66 || separator?.length !== 66) return null
  const [, ownName, ownVersion] =
    decode(['bytes1', 'string', 'string', 'uint256', 'address', 'bytes32', 'uint256[]'], domain) ??
    []
  const candidates = [
    [ownName, ownVersion],
    [decode(['string'], name)?.[0], decode(['string'], version)?.[0]],
  ]
  for (const [name, version] of candidates) {
    if (typeof name !== 'string' || typeof version !== 'string') continue
    const found = { name, version, chainId: reader.chainId, verifyingContract: token }
    if (TypedDataEncoder.hashDomain(found) === separator) return found
  }
  return null
}

/** Null for a call that reverted, and for data of another form. */
const decode = (types: string[], data: string | null | undefined): unknown[] | null => {
  if (!data || data === '0x') return null
  try {
    return [...AbiCoder.defaultAbiCoder().decode(types, data)]
  } catch {
    return null
  }
}
