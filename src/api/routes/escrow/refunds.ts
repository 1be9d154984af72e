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
  state: z
    .enum(['unsigned', 'ready', 'sent', 'done'])
    .describe('`sent`: in a block that is not final. `done`: a final block has paid it.'),
  receiver: Address.nullable().describe('Null until the verifiers have named it.'),
  asset: Address,
  amount: Units.nullable().describe('Null for recorded donations.'),
  transactions: z.array(Hash).describe('The transactions that paid it.'),
  transaction: ReadyTransaction.nullable().describe('Null unless `ready`.'),
})

const AccountRefunds = component('AccountRefunds', {
  campaignId: Id,
  account: Address,
  refunds: z
    .array(AccountRefund)
    .describe('Of recorded donations first, then of at most 100 transfers that were not recorded.'),
})

const Return = component('TransferReturn', {
  transaction: Hash.describe('The transaction that paid the escrow.'),
  position: z.int().meta({
    description: 'The index of the log in its receipt; negative for the native coin.',
    examples: [4],
  }),
  asset: Address.describe('0x00…00 is the native coin.'),
  sender: Address.describe('Of an internal payment without traces, this may be only the signer.'),
  amount: Units,
  share: Units.nullable().describe('What goes back. Null while nothing of this asset can go back.'),
  receiver: Address.nullable().meta({
    description:
      'The sender, if it surely paid and is a wallet. Null: enter what the donor has proven.',
  }),
  returned: z
    .object({
      receiver: Address,
      amount: Units,
      transaction: Hash,
      state: z.enum(['sent', 'done']),
    })
    .nullable()
    .describe('The payment back; `done` in a final block.'),
})

const RETURNS = pageOf('returns', Return, 'One page, the oldest first.')

export const refundOperations = () => [
  route.get('/api/campaigns/:id/returns', {
    operationId: 'listReturns',
    summary: 'Unrecorded transfers to an escrow. Verifiers sign which go back to which account.',
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
