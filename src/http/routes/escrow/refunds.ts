import { z } from 'zod'
import { ESCROW_STATES } from '../../../domain/escrow/index.ts'
import {
  checkRootSignature,
  getDonationRefund,
  getRefunds,
  listAccountRefunds,
  SignRoot,
  signRoot,
} from '../../../domain/escrow/refund/index.ts'
import { succeed, success } from '../../answer/answers.ts'
import {
  EXAMPLE_ACCOUNT,
  EXAMPLE_HASH,
  EXAMPLE_SIGNATURE,
  EXAMPLE_WALLET,
} from '../../openapi/samples.ts'
import { route } from '../../route.ts'
import { Id, Time } from '../../schemas.ts'
import { ReadyTransaction } from './ready-transaction-body.ts'
import { typedDataOf } from './typed-data-body.ts'

const Address = z.string().meta({ examples: [EXAMPLE_ACCOUNT] })
const Hash = z.string().meta({ examples: [EXAMPLE_HASH] })
const Units = z.string().meta({ examples: ['12500000'] })

const Leaf = z.object({
  asset: Address.meta({ description: '0x00…00 is the native coin.' }),
  donor: Address,
  amount: Units.meta({ description: 'What the donor may claim in all, in base units.' }),
  transactions: z.array(Hash).optional().meta({
    description:
      'Payments in the native coin, or by a contract that cannot sign: then the donor signed the transaction.',
  }),
})

const RootTypedData = typedDataOf('RefundRoot', { index: z.int(), root: Hash, dataHash: Hash })

const Root = z
  .object({
    index: z.int(),
    root: Hash,
    dataHash: Hash.meta({ description: 'The hash of `block`.' }),
    block: z.object({ number: z.int(), hash: Hash }).meta({
      description: 'The final block up to which payments count.',
    }),
    leaves: z.array(Leaf),
    signatures: z.array(z.object({ verifier: Address, signature: z.string(), createdAt: Time })),
    missing: z.int().meta({ description: 'How many signatures are missing.' }),
    typedData: RootTypedData,
    createdAt: Time,
  })
  .meta({ id: 'RefundRoot' })

const Known = z.object({ index: z.int(), root: Hash, readyAt: Time })

const Refunds = z
  .object({
    campaignId: Id,
    chainId: z.int(),
    escrow: Address,
    state: z.enum(ESCROW_STATES),
    rule: z.string().meta({
      description: 'The rule by which roots are computed.',
      examples: ['fundproof-refunds-1'],
    }),
    asset: Address.meta({ description: 'The token of the terms.' }),
    assets: z
      .array(Address)
      .meta({ description: 'All assets that this service counts, and those of `root`.' }),
    pool: Units.nullable().meta({ description: 'The balance at the failure.' }),
    total: Units.nullable().meta({ description: '`pool` and what was released before.' }),
    needed: z.int().meta({ description: 'The number of verifiers that must sign a root.' }),
    root: Root.nullable().meta({
      description: 'The root to sign. If every refund is proposed, the newest root.',
    }),
    propose: ReadyTransaction.nullable().meta({
      description:
        'Proposes `root`. Null until enough signatures of verifiers count. The signature of a contract wallet does not count while no node can check it.',
    }),
    inForce: Known.nullable().meta({ description: 'The root by which donors can claim.' }),
    waiting: Known.nullable().meta({ description: 'A proposed root. A verifier can veto it.' }),
  })
  .meta({ id: 'Refunds' })

const Signed = z.object({
  index: z.int(),
  root: Hash,
  verifier: Address,
  missing: z.int().meta({
    description:
      'How many signatures are missing. With 0, read `propose` of `GET /api/campaigns/:id/refunds`.',
  }),
})

const CLAIM = {
  refund: z.enum(['on_chain', 'by_verifiers']),
  donor: Address.meta({ description: 'The account that gets the money.' }),
  asset: Address,
  cumulative: Units.nullable().meta({
    description: 'What the root gives the donor in all; null for a recorded donor.',
  }),
}

const DonationRefund = z
  .object({ donationId: Id, campaignId: Id, ...CLAIM, transaction: ReadyTransaction })
  .meta({ id: 'DonationRefund' })

const AccountRefund = z
  .object({
    ...CLAIM,
    state: z.enum(['ready', 'sent', 'done']).meta({
      description: '`sent`: in a block that is not final. `done`: a final block has paid it.',
    }),
    transactions: z.array(Hash).meta({ description: 'The transactions that paid the donor.' }),
    transaction: ReadyTransaction.nullable().meta({ description: 'Null unless `ready`.' }),
  })
  .meta({ id: 'AccountRefund' })

const AccountRefunds = z
  .object({
    campaignId: Id,
    account: Address,
    refunds: z.array(AccountRefund).meta({
      description: 'Of recorded donations first, then of each asset in the root in force.',
    }),
    waitingUntil: Time.nullable().meta({
      description: 'When the account can claim more, by a root that waits.',
    }),
  })
  .meta({ id: 'AccountRefunds' })

const SIGNATURE = { index: 0, root: EXAMPLE_HASH, signature: EXAMPLE_SIGNATURE }

export const refundOperations = () => [
  route.get('/api/campaigns/:id/refunds', {
    operationId: 'getRefunds',
    summary: 'The refunds of an escrow: the root, its leaves and its signatures.',
    auth: 'optional',
    answers: { 200: { description: 'The current state.', schema: Refunds } },
    errors: ['not_escrowed'],
    handler: async ({ ctx, params }) => ({ body: await getRefunds(ctx, params.id) }),
  }),
  route.post('/api/campaigns/:id/refunds/signatures', {
    operationId: 'signRefundRoot',
    summary: "Sign a refund root as a verifier of the escrow's terms.",
    auth: 'verified',
    scope: 'milestones:verify',
    body: SignRoot,
    examples: { minimal: SIGNATURE, full: { ...SIGNATURE, verifier: EXAMPLE_WALLET } },
    answers: {
      201: success('Recorded; `missing` signatures are still missing.', { signature: Signed }),
      200: success('This verifier signed this root before.', { signature: Signed }),
    },
    errors: [
      'not_escrowed',
      'campaign_not_failed',
      'refund_root_missing',
      'conflict',
      'invalid_signature',
    ],
    prepare: ({ ctx, params, body }) => checkRootSignature(ctx, params.id, body),
    handler: async ({ ctx, params }, checked) => {
      const { created, ...signature } = await signRoot(ctx, checked)
      return succeed(
        { signature },
        { status: created ? 201 : 200, location: `/api/campaigns/${params.id}/refunds` },
      )
    },
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
      'refund_root_missing',
      'refund_window_open',
    ],
    handler: async ({ ctx, params }) => ({ body: await getDonationRefund(ctx, params.id) }),
  }),
]
