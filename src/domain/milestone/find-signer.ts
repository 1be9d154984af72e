import { parseAddress } from '../../kernel/address.ts'
import { DomainError, inField } from '../../kernel/errors.ts'
import type { SignatureProof } from '../../kernel/signatures.ts'
import type { Context } from '../context.ts'
import type { VerificationTypedData } from './typed-data.ts'

/** A wallet of a registered verifier. `signer` is lower-case. */
export type Candidate = { verifierId: string; signer: string; chainId: number; method: string }
export type Signer = Candidate & { proof: SignatureProof }

/** Each may cost a question to its chain, so only so many are tried, the newest first. */
const MAX_CANDIDATES = 10

/**
 * The wallets that may have signed: the one that is named, whoever's it is, else the caller's own.
 * Only wallets of users who are verifiers count, so administrators can carry a signature, not make one.
 *
 * @throws DomainError `forbidden` where there is none, `invalid_input` for an address that is none
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
  const rows = await ctx.sql<
    { user_id: string; address: string; chain_id: number; method: string }[]
  >`
    select wallet.user_id, wallet.address, wallet.chain_id, wallet.method
    from wallet join app_user on app_user.id = wallet.user_id
    where 'verifier' = any(app_user.roles)
      and ${address === null ? ctx.sql`wallet.user_id = ${callerId}` : ctx.sql`wallet.address = ${address}`}
    order by wallet.created_at desc, wallet.id desc
    limit ${MAX_CANDIDATES}`
  if (rows.length === 0) {
    throw new DomainError(
      'forbidden',
      address === null
        ? 'You have no wallet as a registered verifier: link it, or name the signing wallet as verifierAddress.'
        : 'The wallet that verifierAddress names belongs to no registered verifier.',
    )
  }
  return rows.map((row) => ({
    verifierId: row.user_id,
    signer: row.address,
    chainId: row.chain_id,
    method: row.method,
  }))
}

/**
 * The candidate whose signature this is. A contract wallet is asked on the chain on which it was
 * linked: at the same address of another chain there may be somebody else's. Asks chains, so it
 * never runs within a transaction.
 *
 * @throws DomainError `forbidden` where it is nobody's, `unavailable` where a chain could not be
 * asked and nobody else has signed
 */
export const findSigner = async (
  ctx: Context,
  candidates: readonly Candidate[],
  typedData: VerificationTypedData,
  signature: string,
): Promise<Signer> => {
  const results = await Promise.allSettled(
    candidates.map(async (candidate) => ({
      candidate,
      proof: await ctx.signatures.verifyTypedData({
        chainId: candidate.method === 'ecdsa' ? typedData.domain.chainId : candidate.chainId,
        address: candidate.signer,
        typedData,
        signature,
      }),
    })),
  )
  for (const result of results) {
    if (result.status === 'fulfilled' && result.value.proof) {
      return { ...result.value.candidate, proof: result.value.proof }
    }
  }
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  throw new DomainError(
    'forbidden',
    'The signature is not by a wallet of this verifier, over this decision, evidence and round.',
  )
}
