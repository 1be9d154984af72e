import { DomainError, inField } from '../../kernel/errors.ts'
import { parseAddress } from '../../kernel/formats/address.ts'
import type { SignatureProof } from '../../kernel/ports/signatures.ts'
import type { Context } from '../context.ts'
import type { VerificationTypedData } from './typed-data.ts'

/** A wallet of a registered verifier. `signer` is the wallet's address in lower case. */
export type Candidate = { verifierId: string; signer: string; chainId: number; method: string }

/** At most this many wallets are tried, newest first. Each wallet may need a call to its chain. */
const MAX_CANDIDATES = 10

/**
 * Finds the wallets that may have signed: the wallet at `verifierAddress`, or the caller's wallets
 * if there is no `verifierAddress`. Only wallets of verifiers count. An administrator who is not a
 * verifier can therefore send a decision, but not sign it.
 *
 * @throws DomainError `invalid_input` for an invalid address, `forbidden` if no wallet is found
 */
export const findCandidates = async (
  ctx: Context,
  callerId: string,
  verifierAddress: string | undefined,
): Promise<Candidate[]> => {
  const address =
    verifierAddress === undefined
      ? null
      : inField('verification.verifierAddress', () => parseAddress(verifierAddress))
  const candidates = await ctx.sql<Candidate[]>`
    select wallet.user_id as verifier_id, wallet.address as signer, wallet.chain_id, wallet.method
    from wallet join app_user on app_user.id = wallet.user_id
    where 'verifier' = any(app_user.roles)
      and ${address === null ? ctx.sql`wallet.user_id = ${callerId}` : ctx.sql`wallet.address = ${address}`}
    order by wallet.created_at desc, wallet.id desc
    limit ${MAX_CANDIDATES}`
  if (candidates.length === 0) {
    throw new DomainError(
      'forbidden',
      address === null
        ? 'You are not a verifier with a linked wallet. Link your wallet, or name the signing wallet as verifierAddress.'
        : 'The wallet of verifierAddress does not belong to a registered verifier.',
    )
  }
  return candidates
}

/**
 * Finds the candidate that made the signature. Checks a contract wallet on the chain where it was
 * linked, because the same address may have another owner on another chain. Must run outside a
 * transaction, because it calls nodes.
 *
 * @throws DomainError `forbidden` if no candidate signed, `unavailable` if a chain did not answer
 *   and no other candidate signed
 */
export const findSigner = async (
  ctx: Context,
  candidates: readonly Candidate[],
  typedData: VerificationTypedData,
  signature: string,
): Promise<Candidate & { proof: SignatureProof }> => {
  const results = await Promise.allSettled(
    candidates.map(async (candidate) => ({
      ...candidate,
      proof: await ctx.signatures.verifyTypedData({
        chainId: candidate.method === 'ecdsa' ? typedData.domain.chainId : candidate.chainId,
        address: candidate.signer,
        typedData,
        signature,
      }),
    })),
  )
  for (const result of results) {
    if (result.status === 'rejected') continue
    const { proof, ...candidate } = result.value
    if (proof) return { ...candidate, proof }
  }
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  throw new DomainError(
    'forbidden',
    'The signature is not from a wallet of this verifier for this decision, evidence and round.',
  )
}
