import type { Context } from '../../../db/context.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress, toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { SignatureProof } from '../../../kernel/ports/signatures.ts'
import type { MilestoneRow } from './milestone-row.ts'
import { type Statement, toTypedData } from './typed-data.ts'

/** A wallet of a registered verifier. `signer` is the wallet's address in lower case. */
export type Candidate = { verifierId: string; signer: string; chainId: number; method: string }

/** At most this many wallets are tried, newest first. Each wallet may need a call to its chain. */
const MAX_CANDIDATES = 10

/**
 * Finds the wallets that may have signed: the wallet at `verifierAddress`, or the caller's wallets
 * if there is no `verifierAddress`. Only wallets of verifiers count, so an administrator who is not
 * a verifier can send a signature, but cannot sign. If the campaign has an escrow, only wallets of
 * its terms count, and a contract wallet must be linked on the escrow's chain.
 *
 * @throws DomainError `invalid_input` for an invalid address, `forbidden` if no wallet is found
 */
export const findCandidates = async (
  ctx: Context,
  { chainId, terms }: Pick<MilestoneRow, 'chainId' | 'terms'>,
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
    where 'verifier' = any(app_user.roles) and not wallet.before_reset
      and ${address === null ? ctx.sql`wallet.user_id = ${callerId}` : ctx.sql`wallet.address = ${address}`}
      ${terms ? ctx.sql`and wallet.address = any(${terms.verifiers}) and holds_on(wallet, ${chainId})` : ctx.sql``}
    order by wallet.created_at desc, wallet.id desc
    limit ${MAX_CANDIDATES}`
  if (candidates.length === 0) {
    if (terms) throw noVerifierOf(terms.verifiers)
    throw new DomainError(
      'forbidden',
      address === null
        ? 'You are not a verifier with a linked wallet. Link your wallet, or name the signing wallet as verifierAddress.'
        : 'The wallet of verifierAddress does not belong to a registered verifier.',
    )
  }
  return candidates
}

const noVerifierOf = (verifiers: readonly string[]) =>
  new DomainError(
    'forbidden',
    `Only these verifiers of the escrow can sign: ${verifiers.map(toChecksumAddress).join(', ')}. Link such a wallet on the chain of the campaign, or name it as verifierAddress.`,
  )

/**
 * Finds the candidate that signed a decision; undefined if no candidate did. A contract wallet is
 * asked on the chain where it was linked, because its address may have another owner on another
 * chain. Must run outside a transaction, because it calls nodes.
 *
 * @throws DomainError `unavailable` if a chain did not answer and no other candidate signed
 */
export const findSigner = async (
  ctx: Context,
  candidates: readonly Candidate[],
  milestone: MilestoneRow,
  said: Statement & { signature: string },
): Promise<(Candidate & { proof: SignatureProof }) | undefined> => {
  const typedData = toTypedData(milestone, said)
  const results = await Promise.allSettled(
    candidates.map(async (candidate) => ({
      ...candidate,
      proof: await ctx.signatures.verifyTypedData({
        chainId: candidate.method === 'ecdsa' ? milestone.chainId : candidate.chainId,
        address: candidate.signer,
        typedData,
        signature: said.signature,
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
  return undefined
}
