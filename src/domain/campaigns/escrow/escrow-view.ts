import { FACTORY } from '../../../escrow/address.ts'
import { deployCall } from '../../../escrow/calls.ts'
import { unpackTerms } from '../../../escrow/terms.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { formatUnits } from '../../../kernel/money/money.ts'

/** The terms of an escrow in words, as answers show them. Addresses have EIP-55 checksums. */
type EscrowTermsView = {
  recipient: string
  /** The address of the token. */
  asset: string
  deadline: Date
  activateBy: Date
  expiry: Date
  /** The number of signatures for a termination, and for returns of transfers. */
  quorum: number
  surplus: 'recipient' | 'donors'
  verifiers: string[]
  /** `amount` is decimal text; `required` is the number of signatures for its release. */
  milestones: { amount: string; required: number }[]
  /** The terms as the contract packs them. */
  packed: string
}

/** The escrow in the view of its campaign. */
export type CampaignEscrowView = EscrowTermsView & {
  factory: string
  /** Whether stored blocks show the contract. */
  deployed: boolean
  /**
   * The transaction that deploys the contract. If the contract is deployed already, the transaction
   * does nothing.
   */
  deployment: { chainId: number; to: string; data: string; value: '0' }
}

/** Reads packed terms for an answer. `decimals` are those of the token. */
const toTermsView = (packed: string, decimals: number): EscrowTermsView => {
  const terms = unpackTerms(packed)
  return {
    recipient: toChecksumAddress(terms.recipient),
    asset: toChecksumAddress(terms.asset),
    deadline: dateOf(terms.deadline),
    activateBy: dateOf(terms.activateBy),
    expiry: dateOf(terms.expiry),
    quorum: terms.quorum,
    surplus: terms.surplusToRecipient ? 'recipient' : 'donors',
    verifiers: terms.verifiers.map(toChecksumAddress),
    milestones: terms.milestones.map(({ amount, required }) => ({
      amount: formatUnits(amount, decimals),
      required,
    })),
    packed,
  }
}

export const toCampaignEscrow = (
  { packed, deployed, chainId }: { packed: string; deployed: boolean; chainId: number },
  decimals: number,
): CampaignEscrowView => ({
  ...toTermsView(packed, decimals),
  factory: toChecksumAddress(FACTORY),
  deployed,
  deployment: { chainId, ...deployCall(packed), to: toChecksumAddress(FACTORY) },
})

const dateOf = (seconds: number): Date => new Date(seconds * 1_000)
