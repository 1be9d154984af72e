import { z } from 'zod'
import { Moment } from '../moment.ts'

/** Above every limit of the contract, so that the contract's own rules refuse, with their words. */
const MAX_ADDRESSES = 100
const MAX_BYTE = 0xff
const MAX_WORD = 0xffff_ffff

const AddressText = z.string().min(1).max(80)

/** The terms of a new campaign's escrow. Target, currency and milestones are the campaign's. */
export const EscrowInput = z.strictObject({
  recipient: AddressText.meta({
    description:
      'Receives the milestones, and may cancel: a wallet that the creator has linked. As CAIP-10 it also names the chain.',
  }),
  deadline: Moment.meta({ description: 'The last second for recorded donations.' }),
  activateBy: Moment.optional().meta({
    description:
      'The escrow must be active by then. Default: 7 days after `deadline`, at most `expiry`.',
  }),
  expiry: Moment.meta({
    description:
      'The last second for releases, at most 5 years from now. Afterwards `close` gives back what is left.',
  }),
  verifiers: z
    .array(AddressText)
    .max(MAX_ADDRESSES)
    .meta({ description: 'At most 16 wallets, each linked by another verifier.' }),
  quorum: z.int().min(0).max(MAX_BYTE).optional().meta({
    description:
      'The signatures that end the campaign or propose refunds: a majority. Default: the least.',
  }),
  challengeSeconds: z.int().min(0).max(MAX_WORD).optional().meta({
    description: 'The wait before refunds by a proposal: 1 to 30 days. Default: 7 days.',
  }),
  surplus: z.enum(['recipient', 'donors']).meta({
    description: 'Who gets what is left when all milestones are released.',
  }),
})
export type EscrowInput = z.output<typeof EscrowInput>
