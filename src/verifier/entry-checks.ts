import { demand } from './bytes.ts'
import type { DonationProof, ProofEntry } from './proof.ts'

/**
 * Throws Refusal unless all entries belong to the donation and only these entries are not reversed:
 * - one credit of the donation's transfer
 * - the conversion of this credit, if the paid asset is not the campaign's currency
 * - the deposit of this transfer, if the credit takes the amount from `unclaimed`
 */
export const checkEntries = (proof: DonationProof): string => {
  const standing = standingOf(proof)
  const [credit, ...more] = standing.filter((entry) => entry.kind === 'donation')
  demand(
    credit !== undefined && more.length === 0,
    'The donation must have exactly one credit that is not reversed.',
  )
  checkCredit(proof, credit)
  const parts = standing.filter((entry) => entry !== credit)
  for (const part of parts) {
    demand(isPartOf(credit, part), `Entry ${part.id} is not reversed and no part of the credit.`)
  }
  const conversions = parts.filter((entry) => entry.kind === 'conversion')
  demand(
    conversions.length === (credit.credit === 'exchange' ? 1 : 0),
    'Exactly one entry must convert the payment to the currency of the campaign.',
  )
  demand(
    parts.length - conversions.length === (credit.debit === 'unclaimed' ? 1 : 0),
    'Exactly one entry must book the deposit of the credit.',
  )
  const counts = conversions.map(({ amount, asset }) => `, as ${amount} base units of ${asset}`)
  return `Entry ${credit.id} credits campaign ${credit.campaignId} with this transfer, once${counts.join()}.`
}

/** The entries that are neither reversals nor reversed. Throws Refusal if entries do not fit. */
const standingOf = ({ donation, ledger }: DonationProof): ProofEntry[] => {
  const byId = new Map(ledger.entries.map((entry) => [entry.id, entry]))
  demand(byId.size === ledger.entries.length, 'An entry is a duplicate.')
  const reversed = new Set<number>()
  for (const entry of ledger.entries) {
    const owner = entry.kind === 'deposit' ? null : donation.id
    demand(entry.donationId === owner, `Entry ${entry.id} names another donation.`)
    demand(entry.campaignId === donation.campaignId, `Entry ${entry.id} names another campaign.`)
    if (entry.reverses === null) continue
    demand(isReversal(entry, byId.get(entry.reverses)), `Entry ${entry.id} reverses nothing here.`)
    demand(!reversed.has(entry.reverses), `Entry ${entry.reverses} is reversed twice.`)
    reversed.add(entry.reverses)
  }
  return ledger.entries.filter((entry) => entry.reverses === null && !reversed.has(entry.id))
}

const checkCredit = ({ donation, block, chainId }: DonationProof, credit: ProofEntry): void => {
  const { transfer } = credit
  demand(
    transfer !== null &&
      transfer.chainId === chainId &&
      transfer.txHash === donation.txHash &&
      transfer.position === donation.position &&
      transfer.recipient === donation.account,
    'The ledger credits another transfer.',
  )
  demand(
    credit.block?.number === block.number && credit.block.hash === block.hash,
    'The ledger names another block.',
  )
  demand(
    credit.asset === donation.asset && credit.amount === donation.amount,
    'The ledger credits another amount.',
  )
  demand(
    ['custody', 'unclaimed'].includes(credit.debit) && ['held', 'exchange'].includes(credit.credit),
    'The entry of the credit has other accounts than a credit.',
  )
}

const isPartOf = (credit: ProofEntry, entry: ProofEntry): boolean => {
  if (!isOfSameTransfer(entry, credit)) return false
  if (entry.kind === 'conversion') {
    return entry.debit === 'exchange' && entry.credit === 'held' && entry.asset !== credit.asset
  }
  return (
    entry.kind === 'deposit' &&
    entry.debit === 'custody' &&
    entry.credit === 'unclaimed' &&
    entry.asset === credit.asset &&
    entry.amount === credit.amount
  )
}

const isReversal = (entry: ProofEntry, original: ProofEntry | undefined): boolean =>
  original !== undefined &&
  entry.kind === 'reversal' &&
  original.kind !== 'reversal' &&
  isOfSameTransfer(entry, original) &&
  entry.asset === original.asset &&
  entry.amount === original.amount &&
  entry.debit === original.credit &&
  entry.credit === original.debit

/** A transfer can be credited again after a reversal. The new entries have another `generation`. */
const isOfSameTransfer = (entry: ProofEntry, other: ProofEntry): boolean =>
  entry.generation === other.generation &&
  entry.transfer?.chainId === other.transfer?.chainId &&
  entry.transfer?.txHash === other.transfer?.txHash &&
  entry.transfer?.position === other.transfer?.position &&
  entry.transfer?.recipient === other.transfer?.recipient &&
  entry.block?.number === other.block?.number &&
  entry.block?.hash === other.block?.hash
