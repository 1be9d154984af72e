import { proposeRootCall, type VerifierSignature } from '../../../chain/escrow/calls.ts'
import { refundRootTypedData } from '../../../chain/escrow/typed-data.ts'
import type { RefundLeaf, RefundRoot, RefundRootSignature } from '../../../db/schema/escrow.ts'
import { NATIVE_ASSET } from '../../../kernel/escrow-event.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { unlessRefused } from '../../../kernel/unless-refused.ts'
import type { Context } from '../../context.ts'
import {
  type EscrowState,
  type ProposedRoot,
  readEscrowState,
  rootInForce,
} from '../escrow-state.ts'
import { readEscrowTime } from '../escrow-time.ts'
import { type ReadyTransaction, readyTransaction } from '../ready-transaction.ts'
import { type Escrow, requireEscrow } from '../require-escrow.ts'
import { domainOf } from '../verifier-calls.ts'
import { checkVerifierSignature } from '../verifier-signature.ts'
import { REFUND_RULE } from './rule.ts'

export type RootTypedData = ReturnType<typeof refundRootTypedData>

/** A root with all data to compute it again and to sign it. Addresses have a checksum. */
export type RootView = Pick<RefundRoot, 'index' | 'root' | 'dataHash' | 'createdAt'> & {
  /** The final block up to which payments count. */
  block: { number: number; hash: string }
  leaves: RefundLeaf[]
  signatures: Pick<RefundRootSignature, 'verifier' | 'signature' | 'createdAt'>[]
  /** How many signatures are missing. */
  missing: number
  typedData: RootTypedData
}

/** A root that the contract knows. `readyAt` is the time of the first claim by it. */
type KnownRoot = Pick<ProposedRoot, 'index' | 'root'> & { readyAt: Date }

export type RefundsView = {
  campaignId: string
  chainId: number
  escrow: string
  state: EscrowState['state']
  /** The name of the rule by which roots are computed. */
  rule: string
  /** The asset of the terms; other assets are returned in full. */
  asset: string
  /** All assets that this service counts, and those of `root`. 0x00…00 is the native coin. */
  assets: string[]
  /** The pool and the total of the failure in base units; null before it. */
  pool: string | null
  total: string | null
  /** The number of verifiers that must sign a root. */
  needed: number
  /** The root to sign now or, if all refunds are proposed, the newest root; null without one. */
  root: RootView | null
  /** The transaction that proposes `root`; null until enough signatures count. */
  propose: ReadyTransaction | null
  /** The root by which donors can claim now. */
  inForce: KnownRoot | null
  /** A proposed root whose waiting time runs. One verifier can veto it. */
  waiting: KnownRoot | null
}

/**
 * Returns the refund root of an escrow that has ended, its signatures, and its state on the chain.
 * Must run outside a transaction, because it may simulate a call.
 *
 * @throws DomainError `not_found`; `not_escrowed` for a campaign without an escrow
 */
export const getRefunds = async (ctx: Context, campaignId: string): Promise<RefundsView> => {
  const escrow = await requireEscrow(ctx, campaignId)
  const state = await readEscrowState(ctx, escrow)
  const root = await findShownRoot(ctx, escrow, state)
  const now = await readEscrowTime(ctx, escrow)
  const inForce = rootInForce(state, now)
  const { newestRoot } = state
  const isOpen = root?.index === state.rootIndex
  return {
    campaignId,
    chainId: escrow.chainId,
    escrow: toChecksumAddress(escrow.account),
    state: state.state,
    rule: REFUND_RULE,
    asset: toChecksumAddress(escrow.terms.asset),
    assets: assetsOf(ctx, escrow, root).map(toChecksumAddress),
    pool: state.pool?.toString() ?? null,
    total: state.total?.toString() ?? null,
    needed: escrow.terms.quorum,
    root: root ?? null,
    propose: root && isOpen && root.missing === 0 ? await prepareProposal(ctx, escrow, root) : null,
    inForce: inForce && toKnown(inForce),
    waiting: newestRoot && newestRoot !== inForce ? toKnown(newestRoot) : null,
  }
}

/**
 * The terms' asset first, then the native coin and the chain's other tokens, and last the tokens of
 * the root that the settings do not name any more.
 */
const assetsOf = (
  { settings }: Context,
  { chainId, terms }: Escrow,
  root: RootView | undefined,
): string[] => {
  const all = settings.assets.all.filter((asset) => asset.chainId === chainId)
  const addresses = all.map(({ address }) => address ?? NATIVE_ASSET)
  const paid = root?.leaves.map(({ asset }) => asset) ?? []
  return [...new Set([terms.asset, ...addresses, ...paid])]
}

const findShownRoot = async (
  ctx: Context,
  escrow: Escrow,
  { rootIndex, newestRoot }: EscrowState,
): Promise<RootView | undefined> =>
  (await findRoot(ctx, escrow, { index: rootIndex })) ??
  (newestRoot ? findRoot(ctx, escrow, newestRoot) : undefined)

/** Reads a root with its signatures; undefined if this service has not computed it. */
export const findRoot = async (
  { sql }: Context,
  escrow: Pick<Escrow, 'campaignId' | 'chainId' | 'account' | 'terms'>,
  { index, root }: { index: number; root?: string },
): Promise<RootView | undefined> => {
  const { campaignId, terms } = escrow
  const [row] = await sql<RefundRoot[]>`
    select * from refund_root
    where campaign_id = ${campaignId} and index = ${index}
      and ${root === undefined ? sql`true` : sql`root = ${root}`}
    order by created_at desc limit 1`
  if (!row) return undefined
  const signatures = await sql<RootView['signatures']>`
    select verifier, signature, created_at from refund_root_signature
    where campaign_id = ${campaignId} and index = ${index} and root = ${row.root}
    order by created_at, verifier`
  return {
    index: row.index,
    root: row.root,
    dataHash: row.dataHash,
    createdAt: row.createdAt,
    block: { number: row.blockNumber, hash: row.blockHash },
    leaves: row.leaves,
    signatures: signatures.map((one) => ({ ...one, verifier: toChecksumAddress(one.verifier) })),
    missing: Math.max(0, terms.quorum - signatures.length),
    typedData: refundRootTypedData(domainOf(escrow), row),
  }
}

/** Null if contract wallets that the quorum needs do not confirm their signatures now. */
const prepareProposal = async (
  ctx: Context,
  escrow: Escrow,
  { root, dataHash, typedData, ...view }: RootView,
): Promise<ReadyTransaction | null> => {
  const { account, terms } = escrow
  const signatures: VerifierSignature[] = []
  // Signatures of keys are short and stay valid. They come first, because they need no node.
  const byLength = view.signatures.toSorted((a, b) => a.signature.length - b.signature.length)
  for (const { verifier, signature } of byLength) {
    if (signatures.length === terms.quorum) break
    const claim = { verifier: verifier.toLowerCase(), signature }
    const data = await unlessRefused(
      checkVerifierSignature(ctx, escrow, typedData, claim),
      'unavailable',
    )
    if (data) signatures.push({ verifier: terms.verifiers.indexOf(claim.verifier), data })
  }
  if (signatures.length < terms.quorum) return null
  return readyTransaction(ctx, escrow, [proposeRootCall(account, { root, dataHash, signatures })])
}

const toKnown = ({ index, root, readyAt }: ProposedRoot): KnownRoot => ({
  ...{ index, root },
  readyAt: new Date(readyAt * 1_000),
})
