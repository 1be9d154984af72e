import { AbiCoder, hashMessage, recoverAddress, TypedDataEncoder } from 'ethers'
import { signatureValidator } from '../../../contracts-abi/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/ports/log.ts'
import type { SignatureProof, SignatureVerifier, TypedData } from '../../kernel/ports/signatures.ts'
import { ChainError } from '../errors.ts'
import type { StateReader } from './state-reader.ts'

/** The suffix of signatures of wallets that are not deployed yet (ERC-6492). */
const COUNTERFACTUAL_SUFFIX = '6492'.repeat(16)
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
const HEX = /^0x(?:[0-9a-f]{2})*$/
const KEY_SIGNATURE_CHARS = 2 + 65 * 2
/** The signature is part of the creation code, which has at most 49 152 bytes (EIP-3860). */
const MAX_SIGNATURE_BYTES = 32 * 1024
/** Half of secp256k1's order. A signature with a higher s is malleable (EIP-2). */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
/** Enough gas to deploy a Safe with many owners or a passkey wallet, and to check a signature. */
const GAS = 10_000_000
const ATTEMPTS = 2

type SignatureVerifierOptions = { readers: readonly StateReader[]; log: Log }

/**
 * Verifies signatures of keys and contract wallets, in this order:
 *
 * 1. ECDSA by the account's key (low s), because this needs no node.
 * 2. ERC-6492 or ERC-1271 by the account's code at one block. The result has the number of this
 *    block, because owners may change later.
 *
 * An account with an EIP-7702 delegation may sign by its key or by its code. For a deployed wallet,
 * the preparing call (ERC-6492) does not run, because it could change the wallet.
 */
export const createSignatureVerifier = (options: SignatureVerifierOptions): SignatureVerifier => {
  const readers = new Map(options.readers.map((reader) => [reader.chainId, reader]))

  const verify = async (
    claim: { chainId: number; address: string; signature: string },
    digest: string,
  ): Promise<SignatureProof | null> => {
    const address = claim.address.toLowerCase()
    const signature = claim.signature.toLowerCase()
    if (!HEX.test(signature) || signature.length > 2 + 2 * MAX_SIGNATURE_BYTES) return null
    if (isSignedByKey(address, digest, signature)) return { method: 'ecdsa', blockNumber: null }
    const reader = readers.get(claim.chainId)
    if (!reader) return null
    const question = signature.endsWith(COUNTERFACTUAL_SUFFIX) ? unwrap(signature) : { signature }
    return question === null ? null : askContract(reader, address, digest, question, options.log)
  }

  return {
    verifyMessage: (claim) => verify(claim, hashMessage(claim.message)),
    verifyTypedData: (claim) => verify(claim, hashTypedData(claim.typedData)),
  }
}

type Question = { signature: string; factory?: string; factoryData?: string }

const isSignedByKey = (address: string, digest: string, signature: string): boolean => {
  if (signature.length !== KEY_SIGNATURE_CHARS) return false
  if (BigInt(`0x${signature.slice(66, 130)}`) > MAX_S) return false
  try {
    return recoverAddress(digest, signature).toLowerCase() === address
  } catch {
    return false
  }
}

/** Decodes an ERC-6492 signature: factory, the factory's call data, ERC-1271 signature, suffix. */
const unwrap = (signature: string): Question | null => {
  try {
    const [factory, factoryData, inner] = AbiCoder.defaultAbiCoder().decode(
      ['address', 'bytes', 'bytes'],
      signature.slice(0, -COUNTERFACTUAL_SUFFIX.length),
    )
    return { signature: String(inner), factory: String(factory), factoryData: String(factoryData) }
  } catch {
    return null
  }
}

const askContract = async (
  reader: StateReader,
  wallet: string,
  digest: string,
  { signature, factory, factoryData }: Question,
  log: Log,
): Promise<SignatureProof | null> => {
  const values = [wallet, digest, signature, factory ?? ZERO_ADDRESS, factoryData ?? '0x']
  const { bytecode, constructorTypes } = signatureValidator
  const question = AbiCoder.defaultAbiCoder().encode(constructorTypes, values)
  const call = { data: bytecode + question.slice(2), gas: GAS }
  for (let attempt = 1; ; attempt++) {
    try {
      const block = await reader.newestBlock()
      const { code, result } = await reader.codeAndCall(block, wallet, call)
      if (result !== '0x01') return null
      return { method: code === '0x' ? 'eip6492' : 'eip1271', blockNumber: block.number }
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      // A node may be one block behind, or a reorg replaced the block, so this tries again.
      if (error.code === 'block_missing' && attempt < ATTEMPTS) continue
      log.warn({ chainId: reader.chainId, code: error.code }, error.message)
      throw new DomainError(
        'unavailable',
        'The chain of this account cannot be asked about the signature now. Try again shortly.',
      )
    }
  }
}

/** Throws TypeError for invalid typed data. This is a bug, because our own code builds the data. */
const hashTypedData = ({ domain, types, primaryType, message }: TypedData): string => {
  const { EIP712Domain: _, ...structs } = types
  const mutable = Object.fromEntries(
    Object.entries(structs).map(([name, fields]) => [name, [...fields]]),
  )
  const encoder = TypedDataEncoder.from(mutable)
  if (primaryType !== undefined && encoder.primaryType !== primaryType) {
    throw new TypeError(`The typed data's primary type is ${encoder.primaryType}.`)
  }
  return TypedDataEncoder.hash(domain, mutable, message)
}
