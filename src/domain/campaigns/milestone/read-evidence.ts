import type { Context } from '../../../db/context.ts'
import { unpackTerms } from '../../../escrow/terms.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { PublicName } from '../../shared/index.ts'
import type { EvidenceItem } from './schemas.ts'

/** A verifier's wallet with its signature. `name` is null unless the verifier wants to be named. */
type Signer = { address: string; name: string | null; signature: string | null }

/** Evidence for a milestone that verifiers have approved by their signatures. */
export type SignedEvidence = {
  milestoneId: string
  /** keccak256 of the evidence in the form of RFC 8785. Each signature names it. */
  evidenceHash: string
  /** Null if only the chain has shown the signatures: a release there names only the hash. */
  evidence: EvidenceItem[] | null
  /** The transaction by which an escrow paid the milestone; null without such a payment. */
  txHash: string | null
  signers: Signer[]
}

type Stored = Pick<SignedEvidence, 'milestoneId' | 'evidenceHash' | 'evidence'> & {
  signer: string
  signature: string
}
type Released = Pick<SignedEvidence, 'milestoneId' | 'evidenceHash'> & {
  txHash: string
  positions: number[]
  terms: string
}

/**
 * Reads the approved evidence of a campaign's milestones, in their order: the approvals that were
 * sent here, and the releases of an escrow on the chain. The caller has checked that the campaign
 * is visible.
 */
export const readEvidence = async (ctx: Context, campaignId: string): Promise<SignedEvidence[]> => {
  const { sql } = ctx
  const [stored, released] = await Promise.all([
    sql<Stored[]>`
      select milestone_id, evidence, evidence_hash, signer, signature
      from milestone_verification approval join milestone on milestone.id = milestone_id
      where milestone.campaign_id = ${campaignId} and decision = 'completed'
        and round = verification_round
      order by milestone.position, approval.created_at, approval.id`,
    sql<Released[]>`
      select milestone.id as milestone_id, bytes_of(fields ->> 'evidenceHash') as evidence_hash, tx_hash,
             fields -> 'signers' as positions, terms
      from escrow_event event
      join campaign_escrow escrow on escrow.campaign_id = event.campaign_id
      join milestone on milestone.campaign_id = event.campaign_id
       and milestone.position = (fields ->> 'milestone')::int
      where event.campaign_id = ${campaignId} and kind = 'MilestoneReleased'
        and settled_at is not null
      order by milestone.position`,
  ])
  const found = new Map<string, SignedEvidence>()
  const add = (
    {
      milestoneId,
      evidenceHash,
      evidence = null,
    }: Partial<Stored> & Omit<Stored, 'signer' | 'signature' | 'evidence'>,
    signers: readonly { address: string; signature: string | null }[],
    txHash: string | null = null,
  ): void => {
    const key = `${milestoneId} ${evidenceHash}`
    const known = found.get(key) ?? { milestoneId, evidenceHash, evidence, txHash, signers: [] }
    const isNew = ({ address }: { address: string }) =>
      known.signers.every((signer) => signer.address !== address)
    const more = signers.filter(isNew).map((signer) => ({ ...signer, name: null }))
    found.set(key, { ...known, txHash, signers: [...known.signers, ...more] })
  }
  for (const row of stored) add(row, [{ address: row.signer, signature: row.signature }])
  for (const row of released) {
    const { verifiers } = unpackTerms(row.terms)
    const signers = row.positions.flatMap((position) => verifiers[position] ?? [])
    add(
      row,
      signers.map((address) => ({ address, signature: null })),
      row.txHash,
    )
  }
  return named(ctx, [...found.values()])
}

/** Adds the names that verifiers have set in their profile as `publicName`. */
const named = async ({ sql }: Context, all: SignedEvidence[]): Promise<SignedEvidence[]> => {
  const addresses = all.flatMap(({ signers }) => signers.map(({ address }) => address))
  const rows = await sql<{ address: string; name: unknown }[]>`
    select address, profile -> 'publicName' as name
    from wallet join app_user on app_user.id = user_id
    where address = any(${addresses})`
  const names = new Map(rows.map(({ address, name }) => [address, PublicName.safeParse(name).data]))
  return all.map((one) => ({
    ...one,
    signers: one.signers.map(({ address, signature }) => ({
      ...{ address: toChecksumAddress(address), signature },
      name: names.get(address) ?? null,
    })),
  }))
}
