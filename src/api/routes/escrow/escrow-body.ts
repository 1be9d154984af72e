import { z } from 'zod'
import {
  type CampaignEscrowView,
  ESCROW_ACTIONS,
  ESCROW_STATES,
  type EscrowView,
} from '../../../domain/campaigns/index.ts'
import { Amount, component, Id, Time, toAmountOrNull } from '../../../edge/schemas.ts'
import { jsonDecimal } from '../../../kernel/formats/json.ts'
import { ESCROW_FAILURES } from '../../../kernel/statuses.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_WALLET } from '../../openapi/samples.ts'
import { ReadyTransaction } from './ready-transaction-body.ts'

const Address = z.string().meta({ examples: [EXAMPLE_ACCOUNT] })

/** The fields that the campaign's answer and the escrow's own answer share. */
const TERMS = {
  recipient: Address.meta({
    description: "The account that receives the milestones' amounts, and may cancel the escrow.",
  }),
  asset: Address.meta({
    description:
      'The token that the escrow holds. Transfers of other assets are deposits, not donations.',
  }),
  deadline: Time.describe('The last second for recorded donations.'),
  activateBy: Time.describe('If the escrow is not active at this time, it fails.'),
  expiry: Time.describe('The last second for releases.'),
  quorum: z.int().describe('The number of signatures that end the campaign, or return transfers.'),
  surplus: z
    .enum(['recipient', 'donors'])
    .describe('Who gets the rest after the last milestone. This payment needs no signature.'),
  verifiers: z.array(z.string().meta({ examples: [EXAMPLE_WALLET] })),
  milestones: z.array(
    z.object({
      amount: Amount,
      required: z.int().meta({
        description:
          'The number of verifiers who must sign the release of the milestone. If it is 1 for all milestones, one verifier alone can release the whole target.',
      }),
    }),
  ),
  packed: z.string().meta({
    description: 'The terms as the contract packs them. The address of the escrow commits to them.',
    examples: ['0x5c504ed4'],
  }),
  factory: Address.describe('The contract that deploys escrows.'),
  deployed: z.boolean().meta({
    description:
      'Whether a block showed the contract. Money may arrive before the contract is deployed.',
  }),
}

/** The escrow of a campaign, as the campaign's answer shows it. */
export const CampaignEscrow = z
  .object({
    ...TERMS,
    deployment: z
      .object({
        chainId: z.int(),
        to: Address,
        data: z.string().meta({ examples: ['0xfa89401a'] }),
        value: z.literal('0'),
      })
      .describe('The transaction that deploys the contract. Any account may send it.'),
  })
  .meta({
    id: 'CampaignEscrow',
    description: 'The escrow; absent if the account is not an escrow.',
  })

/** An escrow with its state. */
export const Escrow = component('Escrow', {
  campaignId: Id,
  chainId: z.int(),
  account: Address,
  currency: z.string(),
  ...TERMS,
  codeProvenAt: Time.nullable().meta({
    description: 'When a proof of the chain showed the code of the contract.',
  }),
  state: z
    .enum(ESCROW_STATES)
    .describe('The state by final blocks. `failed`: donors get back what is left.'),
  reason: z.enum(ESCROW_FAILURES).nullable().meta({
    description: 'Why the escrow gives money back. `surplus`: all milestones are released.',
  }),
  balance: z
    .object({ value: Amount, block: z.int() })
    .nullable()
    .describe('The balance in a final block; null if it is not known yet.'),
  released: Amount,
  refunded: Amount,
  pool: Amount.nullable().meta({
    description: 'The balance when the escrow failed; null if it has not failed.',
  }),
  total: Amount.nullable().meta({
    description:
      '`pool` and all released money, at least the recorded donations. Shares are `pool` ÷ `total`.',
  }),
  releasedMilestones: z
    .array(z.int())
    .describe('The positions of the released milestones, from 0.'),
  rounds: z.array(z.int()).describe('The number of rejections of each milestone on the chain.'),
  transactions: z
    .array(
      ReadyTransaction.extend({
        action: z.enum(ESCROW_ACTIONS),
        note: z.string(),
      }).meta({ id: 'EscrowTransaction' }),
    )
    .describe('The transactions that can be sent now without a signature.'),
})

type Terms = Pick<CampaignEscrowView, 'milestones'>

/** Converts the amounts of the milestones to exact numbers. */
export const toTermsBody = <T extends Terms>(escrow: T) => ({
  ...escrow,
  milestones: escrow.milestones.map(({ amount, required }) => ({
    amount: jsonDecimal(amount),
    required,
  })),
})

export const toEscrowBody = ({ decimals: _, ...escrow }: EscrowView) => ({
  ...toTermsBody(escrow),
  balance: escrow.balance && { ...escrow.balance, value: jsonDecimal(escrow.balance.value) },
  released: jsonDecimal(escrow.released),
  refunded: jsonDecimal(escrow.refunded),
  pool: toAmountOrNull(escrow.pool),
  total: toAmountOrNull(escrow.total),
})
