import { z } from 'zod'
import {
  ClaimDeposit,
  challengeDeposit,
  checkDepositClaim,
  claimDeposit,
  type DepositView,
  ListDeposits,
  ListOwnDeposits,
  listDeposits,
  listOwnDeposits,
} from '../../../domain/donations/index.ts'
import { pageAnswer, pageOf, succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Money, Time, toMoney } from '../../../edge/schemas.ts'
import { EXAMPLE_SIGNATURE } from '../../openapi/samples.ts'
import { Donation, toDonationBody } from './donation-body.ts'

const Deposit = component('Deposit', {
  id: Id,
  campaignId: Id,
  chainId: z.int(),
  txHash: z.string(),
  logPosition: z.union([z.int(), z.literal('native'), z.literal('internal')]),
  sender: z.string().meta({
    description:
      "The sender by the token's log, the transaction's signature, or the traces of a quorum of nodes.",
  }),
  account: z.string().describe("The campaign's account."),
  amount: Money,
  asset: z.string().describe('The id of the asset (CAIP-19).'),
  blockNumber: z.int(),
  minedAt: Time,
  final: z.boolean(),
  claimedBy: Id.nullable().describe('The donation that has claimed the transfer.'),
  beforeCampaign: z.boolean().meta({
    description:
      'Whether the transfer came before the campaign opened. Such a transfer is in custody and cannot be claimed.',
  }),
})

const Challenge = component('DepositChallenge', {
  nonce: z.string(),
  message: z.string().describe('The text to sign unchanged (EIP-191).'),
  address: z.string().describe('The wallet that must sign the message.'),
  chainId: z.int(),
  expiresAt: Time,
})

const PAGE = pageOf('deposits', Deposit, 'One page, newest first.')

const toDepositBody = (deposit: DepositView) => ({ ...deposit, amount: toMoney(deposit.amount) })

export const depositOperations = () => [
  route.get('/api/campaigns/:id/deposits', {
    operationId: 'listDeposits',
    summary: "Every known transfer to your campaign's account, with the donation that claims it.",
    auth: 'user',
    query: ListDeposits,
    answers: { 200: PAGE },
    handler: async ({ ctx, params, query, url }) =>
      pageAnswer('deposits', await listDeposits(ctx, params.id, query), url, toDepositBody),
  }),
  route.get('/api/deposits', {
    operationId: 'listOwnDeposits',
    summary:
      'Transfers from your linked wallets to campaigns; by default only unclaimed transfers.',
    auth: 'user',
    query: ListOwnDeposits,
    answers: { 200: PAGE },
    handler: async ({ ctx, query, url }) =>
      pageAnswer('deposits', await listOwnDeposits(ctx, query), url, toDepositBody),
  }),
  route.post('/api/deposits/:id/challenge', {
    operationId: 'challengeDeposit',
    summary: 'Get the message that the sending wallet signs to make a deposit yours.',
    auth: 'verified',
    scope: 'donations:write',
    answers: {
      201: success('The message, valid once in ten minutes.', { challenge: Challenge }),
    },
    errors: ['transfer_before_campaign'],
    handler: async ({ ctx, params }) =>
      succeed({ challenge: await challengeDeposit(ctx, params.id) }),
  }),
  route.post('/api/deposits/:id/claim', {
    operationId: 'claimDeposit',
    summary:
      'Make a deposit your donation: by a signature of the sending wallet, or because you have linked this wallet.',
    auth: 'verified',
    scope: 'donations:write',
    body: ClaimDeposit,
    examples: { minimal: {}, full: { signature: EXAMPLE_SIGNATURE } },
    answers: {
      201: success('The deposit is your donation.', { donation: Donation }),
      200: success('The wallet was already linked to you.', { donation: Donation }),
    },
    errors: [
      'invalid_challenge',
      'invalid_signature',
      'wallet_taken',
      'transfer_already_claimed',
      'transfer_before_campaign',
      'blocked_for_legal_reasons',
    ],
    prepare: ({ ctx, params, body }) => checkDepositClaim(ctx, params.id, body),
    handler: async ({ ctx, params }, checked) => {
      const { donation, created } = await claimDeposit(ctx, params.id, checked)
      return succeed(
        { donation: toDonationBody(donation) },
        { status: created ? 201 : 200, location: `/api/donations/${donation.id}` },
      )
    },
  }),
]
