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
} from '../../domain/deposit/index.ts'
import { EXAMPLE_SIGNATURE } from '../openapi/samples.ts'
import { type Operation, operation } from '../operation.ts'
import { pageAnswer } from '../paging.ts'
import { Id, IdParams, Money, Pagination, Success, Time, toMoney } from '../schemas.ts'
import { Donation, toDonationBody } from './donation-body.ts'

const Deposit = z
  .object({
    id: Id,
    campaignId: Id,
    chainId: z.int(),
    txHash: z.string(),
    logPosition: z.union([z.int(), z.literal('native'), z.literal('internal')]),
    sender: z.string().meta({
      description:
        "As the token's log, the transaction's signature, or the traces of a quorum of nodes name it.",
    }),
    account: z.string().meta({ description: "The campaign's account." }),
    amount: Money,
    asset: z.string().meta({ description: 'CAIP-19.' }),
    blockNumber: z.int(),
    minedAt: Time,
    final: z.boolean(),
    claimedBy: Id.nullable().meta({ description: 'The donation that has it.' }),
    beforeCampaign: z.boolean().meta({
      description:
        'It came before the campaign opened, so it is in custody and can be no donation.',
    }),
  })
  .meta({ id: 'Deposit' })

const Challenge = z
  .object({
    nonce: z.string(),
    message: z.string().meta({ description: 'To be signed as it is (EIP-191).' }),
    address: z.string().meta({ description: 'The wallet that has to sign it.' }),
    chainId: z.int(),
    expiresAt: Time,
  })
  .meta({ id: 'DepositChallenge' })

const DepositPage = z.object({
  success: Success,
  deposits: z.array(Deposit),
  pagination: Pagination,
})
const Claimed = z.object({ success: Success, donation: Donation })

const toDepositBody = (deposit: DepositView) => ({ ...deposit, amount: toMoney(deposit.amount) })

export const depositOperations = (): Operation[] => [
  operation({
    method: 'get',
    path: '/api/campaigns/:id/deposits',
    operationId: 'listDeposits',
    summary: "Every known transfer to your campaign's account, and who has claimed it.",
    tag: 'deposits',
    auth: 'user',
    params: IdParams,
    query: ListDeposits,
    answers: { 200: { description: 'One page, newest first.', schema: DepositPage } },
    errors: ['forbidden', 'invalid_cursor'],
    handler: async ({ ctx, params, query, url }) =>
      pageAnswer('deposits', await listDeposits(ctx, params.id, query), url, toDepositBody),
  }),
  operation({
    method: 'get',
    path: '/api/deposits',
    operationId: 'listOwnDeposits',
    summary:
      'What your linked wallets have sent to campaigns; by default only what is not claimed yet.',
    tag: 'deposits',
    auth: 'user',
    query: ListOwnDeposits,
    answers: { 200: { description: 'One page, newest first.', schema: DepositPage } },
    errors: ['forbidden', 'invalid_cursor'],
    handler: async ({ ctx, query, url }) =>
      pageAnswer('deposits', await listOwnDeposits(ctx, query), url, toDepositBody),
  }),
  operation({
    method: 'post',
    path: '/api/deposits/:id/challenge',
    operationId: 'challengeDeposit',
    summary: 'Get a message that makes a deposit yours once the wallet that sent it has signed it.',
    tag: 'deposits',
    auth: 'verified',
    scope: 'donations:write',
    params: IdParams,
    answers: {
      201: {
        description: 'The message, good once, for ten minutes.',
        schema: z.object({ success: Success, challenge: Challenge }),
      },
    },
    errors: ['forbidden', 'not_found', 'transfer_before_campaign'],
    handler: async ({ ctx, params }) => ({
      status: 201,
      body: { success: true, challenge: await challengeDeposit(ctx, params.id) },
    }),
  }),
  operation({
    method: 'post',
    path: '/api/deposits/:id/claim',
    operationId: 'claimDeposit',
    summary:
      'Make a deposit your donation, by a signature of the wallet that sent it or your link.',
    tag: 'deposits',
    auth: 'verified',
    scope: 'donations:write',
    params: IdParams,
    body: ClaimDeposit,
    examples: { minimal: {}, full: { signature: EXAMPLE_SIGNATURE } },
    answers: {
      201: { description: 'It is your donation.', schema: Claimed },
      200: { description: 'It was yours already.', schema: Claimed },
    },
    errors: [
      'forbidden',
      'not_found',
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
      return {
        status: created ? 201 : 200,
        location: `/api/donations/${donation.id}`,
        body: { success: true, donation: toDonationBody(donation) },
      }
    },
  }),
]
