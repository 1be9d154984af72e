import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress, toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { Context } from '../../context.ts'
import { requireVerifier } from '../../require-user.ts'
import { readEscrowState } from '../escrow-state.ts'
import { type Escrow, requireEscrow } from '../require-escrow.ts'
import { checkVerifierSignature, notAVerifier } from '../verifier-signature.ts'
import { findRoot, type RootView } from './get-refunds.ts'
import type { SignRoot } from './schemas.ts'

/** A valid signature of the current root by a verifier of the terms, in lower case. */
export type CheckedRootSignature = Pick<SignRoot, 'index' | 'root' | 'signature'> & {
  campaignId: string
  verifier: string
}

/**
 * Finds the verifier of the terms who signed the current refund root. The caller, who sends the
 * signature, may be another verifier. Must run outside a transaction, because it may ask a node.
 *
 * @throws DomainError
 * - `not_found`, `not_escrowed`
 * - `forbidden` for a caller who is no verifier, or a wallet that the terms do not name
 * - `campaign_not_failed` if the escrow has not ended
 * - `refund_root_missing` if no root is computed, `conflict` if another root is the current one
 * - `invalid_signature` for a signature by another key or of another message
 */
export const checkRootSignature = async (
  ctx: Context,
  campaignId: string,
  input: SignRoot,
): Promise<CheckedRootSignature> => {
  const { userId } = requireVerifier(ctx)
  const escrow = await requireEscrow(ctx, campaignId)
  const { typedData } = await requireCurrentRoot(ctx, escrow, input)
  const { index, root } = input
  for (const verifier of await listCandidates(ctx, escrow, userId, input.verifier)) {
    const claim = { verifier, signature: input.signature }
    const signature = await checkVerifierSignature(ctx, escrow, typedData, claim)
    if (signature) return { campaignId, index, root, signature, verifier }
  }
  throw new DomainError(
    'invalid_signature',
    'The signature is not by this verifier for the current root. Sign the typedData of GET /api/campaigns/:id/refunds unchanged.',
  )
}

const requireCurrentRoot = async (
  ctx: Context,
  escrow: Escrow,
  { index, root }: Pick<SignRoot, 'index' | 'root'>,
): Promise<RootView> => {
  const state = await readEscrowState(ctx, escrow)
  if (state.state !== 'failed' && state.state !== 'done') {
    throw new DomainError(
      'campaign_not_failed',
      'This escrow has not ended, so it pays no refunds. Sign when GET /api/campaigns/:id/escrow has the state failed or done.',
    )
  }
  const current = await findRoot(ctx, escrow, { index: state.rootIndex })
  if (!current) {
    throw new DomainError(
      'refund_root_missing',
      'There is no refund root to sign now: all payments are proposed, or none is final. Read GET /api/campaigns/:id/refunds again later.',
    )
  }
  if (current.index === index && current.root === root) return current
  throw new DomainError(
    'conflict',
    'Another root is the current one. Read GET /api/campaigns/:id/refunds and sign its root.',
  )
}

/** The named verifier, or the caller's linked wallets among the verifiers of the terms. */
const listCandidates = async (
  ctx: Context,
  { terms }: Escrow,
  callerId: string,
  named: string | undefined,
): Promise<string[]> => {
  const wallets =
    named === undefined
      ? await ctx.sql<{ address: string }[]>`select address from wallet where user_id = ${callerId}`
      : [{ address: inField('verifier', () => parseAddress(named)) }]
  const candidates = terms.verifiers.filter((one) => wallets.some(({ address }) => address === one))
  if (candidates.length > 0) return candidates
  if (named !== undefined) throw notAVerifier()
  throw new DomainError(
    'forbidden',
    'None of your wallets is a verifier of this escrow. Name the signing wallet as verifier.',
  )
}

/** A stored signature. `missing` is the number of signatures that the root still needs. */
export type SignedRoot = Pick<CheckedRootSignature, 'index' | 'root' | 'verifier'> & {
  /** False if this verifier has signed this root before. */
  created: boolean
  missing: number
}

/**
 * Stores a checked signature. It replaces the verifier's earlier signature of this root, because a
 * contract wallet can withdraw one.
 *
 * @throws DomainError `conflict` if the root is not the current one any more
 */
export const signRoot = async (
  ctx: Context,
  checked: CheckedRootSignature,
): Promise<SignedRoot> => {
  const { campaignId, index, root, verifier, signature } = checked
  const escrow = await requireEscrow(ctx, campaignId)
  await requireCurrentRoot(ctx, escrow, checked)
  const [stored] = await ctx.sql<{ created: boolean }[]>`
    insert into refund_root_signature (campaign_id, index, root, verifier, signature, created_at)
    values (${campaignId}, ${index}, ${root}, ${verifier}, ${signature}, ${ctx.clock.now()})
    on conflict (campaign_id, index, root, verifier) do update set signature = excluded.signature
    returning xmax = 0 as created`
  const { missing } = await requireCurrentRoot(ctx, escrow, checked)
  const created = stored?.created === true
  return { index, root, verifier: toChecksumAddress(verifier), created, missing }
}
