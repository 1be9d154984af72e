import { z } from 'zod'
import { Moment } from '../../shared/index.ts'

/**
 * Higher than every limit of the contract, so that too many addresses break a rule of the contract,
 * whose message is clearer.
 */
const MAX_ADDRESSES = 100
const MAX_BYTE = 0xff

const AddressText = z.string().min(1).max(80)

/** The terms of a new campaign's escrow. Target, currency and milestones are the campaign's. */
export const EscrowInput = z.strictObject({
  recipient: AddressText.meta({
    description:
      "The account that receives the milestones' amounts, and may cancel the escrow: a wallet that the creator has linked. As CAIP-10, the account also names the chain.",
  }),
  deadline: Moment.describe('The last second for recorded donations.'),
  activateBy: Moment.optional().meta({
    description:
      'If the escrow is not active at this time, it fails. Default: 7 days after `deadline`, at most `expiry`.',
  }),
  expiry: Moment.meta({
    description:
      'The last second for releases, at most 5 years after the deadline. Afterwards `close` gives back what is left.',
  }),
  verifiers: z.array(AddressText).max(MAX_ADDRESSES).meta({
    description:
      'The verifiers: at most 16 wallets, each linked by another user with the role `verifier`.',
  }),
  quorum: z.int().min(0).max(MAX_BYTE).optional().meta({
    description:
      'The number of signatures that end the campaign or return transfers: a majority of the verifiers. Default: the smallest majority.',
  }),
  surplus: z
    .enum(['recipient', 'donors'])
    .describe('Who gets the rest when all milestones are released.'),
})
export type EscrowInput = z.output<typeof EscrowInput>

/** This limit suffices for the long signatures of contract wallets with many owners. */
const MAX_SIGNATURE_BYTES = 8 * 1024

export const SignatureHex = z
  .string()
  .max(2 + 2 * MAX_SIGNATURE_BYTES)
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x and whole bytes in hexadecimal')

const SignatureText = SignatureHex.transform((text) => text.toLowerCase()).meta({
  description: "The signature (EIP-712) of a verifier's wallet: by a key or a contract (EIP-1271).",
})

export const VerifierAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')

const MAX_VERIFIERS = 16

export const VerifierSignatures = z
  .array(z.strictObject({ verifier: VerifierAddress, signature: SignatureText }))
  .max(MAX_VERIFIERS)
  .refine((all) => new Set(all.map(({ verifier }) => verifier.toLowerCase())).size === all.length, {
    error: 'must name each verifier only once',
  })
  .default([])
  .describe('Signatures of `typedData`. Without them, the answer has only the message.')
export type VerifierSignatures = z.output<typeof VerifierSignatures>

export const SignedUntil = Moment.meta({
  description: 'The last second for which the signatures count: at most 90 days from now.',
})

export const PrepareTermination = z.strictObject({
  reason: z.string().trim().min(1).max(2_000).meta({
    description:
      'Why the campaign ends. The verifiers sign the Keccak-256 of this text, so publish the text.',
  }),
  validUntil: SignedUntil,
  signatures: VerifierSignatures,
})
export type PrepareTermination = z.output<typeof PrepareTermination>
