import type { Context } from '../../../db/context.ts'
import { toKeySignature } from '../../../escrow/key-signature.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { SignatureProof, TypedData } from '../../../kernel/ports/signatures.ts'
import type { Escrow } from './require-escrow.ts'

/** The suffix of signatures of wallets that may not be deployed yet (ERC-6492). */
const COUNTERFACTUAL_SUFFIX = '6492'.repeat(16)

/**
 * Checks a signature by the account `verifier`. Returns it in the form that the contract takes, or
 * null if it is not valid. Must run outside a transaction, because it may ask a node.
 *
 * @throws DomainError `invalid_signature` for a wallet without code, `unavailable`
 */
export const checkVerifierSignature = async (
  ctx: Context,
  { chainId }: Pick<Escrow, 'chainId'>,
  typedData: TypedData,
  { verifier, signature }: { verifier: string; signature: string },
): Promise<string | null> => {
  const claim = { chainId, address: verifier, typedData, signature }
  const proof = await ctx.signatures.verifyTypedData(claim)
  if (!proof) return null
  refuseUndeployed(signature, proof)
  return toContractSignature(signature, proof)
}

/**
 * Refuses signatures that this service can check, but an escrow contract cannot.
 *
 * @throws DomainError `invalid_signature`
 */
export const refuseUndeployed = (signature: string, { method }: SignatureProof): void => {
  if (method !== 'eip6492' && !signature.endsWith(COUNTERFACTUAL_SUFFIX)) return
  throw new DomainError(
    'invalid_signature',
    'An escrow does not take signatures for wallets without code (ERC-6492). Deploy the wallet, and send its plain signature (EIP-1271).',
  )
}

/** A proven signature in the form that the contract takes. */
export const toContractSignature = (signature: string, { method }: { method: string }): string =>
  method === 'ecdsa' ? toKeySignature(signature) : signature

export const notAVerifier = () =>
  new DomainError(
    'forbidden',
    'This wallet is not a verifier of this escrow. GET /api/campaigns/:id/escrow names its verifiers.',
  )
