import { z } from 'zod'
import {
  getDonationRefund,
  listAccountRefunds,
  listReturns,
} from '../../../domain/campaigns/index.ts'
import { PageQuery } from '../../../domain/shared/index.ts'
import { pageAnswer, pageOf } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component, Id } from '../../../edge/schemas.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_HASH } from '../../openapi/samples.ts'
import { ReadyTransaction } from './ready-transaction-body.ts'

const Address = z.string().meta({ examples: [EXAMPLE_ACCOUNT] })
const Hash = z.string().meta({ examples: [EXAMPLE_HASH] })
const Units = z.string().meta({ examples: ['12500000'] })

const DonationRefund = component('DonationRefund', {
  donationId: Id,
  campaignId: Id,
  receiver: Address.describe('The account that gets the money.'),
  asset: Address,
  transaction: ReadyTransaction,
})

const AccountRefund = component('AccountRefund', {
  refund: z
    .enum(['on_chain', 'by_verifiers'])
    .describe('Whether the contract recorded the donation, or verifiers sign its return.'),
  state: z.enum(['unsigned', 'ready', 'sent', 'done']).meta({
    description:
      '`sent`: a block that is not final has the payment. `done`: a final block has the payment.',
  }),
  receiver: Address.nullable().meta({
    description:
      'The account that gets the money. Null until the verifiers have named this account.',
  }),
  asset: Address,
  amount: Units.nullable().describe('The amount that goes back. Null for recorded donations.'),
  transactions: z.array(Hash).describe('The transactions that paid the refund.'),
  transaction: ReadyTransaction.nullable().meta({
    description: 'The transaction that pays the refund. Null unless the state is `ready`.',
  }),
})

const AccountRefunds = component('AccountRefunds', {
  campaignId: Id,
  account: Address,
  refunds: z.array(AccountRefund).meta({
    description:
      'First the refund of recorded donations, then the refunds of at most 100 transfers that were not recorded.',
  }),
})

const Return = component('TransferReturn', {
  transaction: Hash.describe('The transaction that paid the escrow.'),
  position: z.int().meta({
    description: 'The index of the log in its receipt; negative for the native coin.',
    examples: [4],
  }),
  asset: Address.describe("The token's address; 0x00…00 is the native coin."),
  sender: Address.meta({
    description:
      "The sender. For an internal payment without traces, this may be only the transaction's signer.",
  }),
  amount: Units,
  share: Units.nullable().meta({
    description: 'The amount that goes back. Null while nothing of this asset can go back.',
  }),
  receiver: Address.nullable().meta({
    description:
      'The sender, if the sender surely paid and is a wallet. If null, enter the account that the donor has proven.',
  }),
  returned: z
    .object({
      receiver: Address,
      amount: Units,
      transaction: Hash,
      state: z.enum(['sent', 'done']),
    })
    .nullable()
    .describe('The payment back. `done` if a final block has this payment.'),
})

const RETURNS = pageOf('returns', Return, 'One page, the oldest first.')

export const refundOperations = () => [
  route.get('/api/campaigns/:id/returns', {
    operationId: 'listReturns',
    summary:
      'Transfers to an escrow that its contract did not record. Verifiers sign which of them go back to which account.',
    auth: 'optional',
    query: PageQuery,
    answers: { 200: RETURNS },
    errors: ['not_escrowed', 'invalid_cursor'],
    handler: async ({ ctx, params, query, url }) =>
      pageAnswer('returns', await listReturns(ctx, params.id, query), url),
  }),
  route.get('/api/campaigns/:id/refunds/:account', {
    operationId: 'listAccountRefunds',
    summary: 'All refunds of an account from an escrow that has ended, with their transactions.',
    auth: 'optional',
    params: z.object({ id: Id, account: Address }),
    answers: { 200: { description: 'The refunds.', schema: AccountRefunds } },
    errors: ['invalid_input', 'not_escrowed', 'campaign_not_failed'],
    handler: async ({ ctx, params }) => ({
      body: await listAccountRefunds(ctx, params.id, params.account),
    }),
  }),
  route.get('/api/donations/:id/refund', {
    operationId: 'getDonationRefund',
    summary:
      'The transaction that pays the donor of a failed escrow back. Any account may send it.',
    auth: 'optional',
    answers: { 200: { description: 'The transaction.', schema: DonationRefund } },
    errors: [
      'not_escrowed',
      'conflict',
      'campaign_not_failed',
      'already_refunded',
      'refund_by_verifiers',
    ],
    handler: async ({ ctx, params }) => ({ body: await getDonationRefund(ctx, params.id) }),
  }),
]
