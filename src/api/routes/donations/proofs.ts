import { z } from 'zod'
import { getLedgerHead, getProof } from '../../../domain/books/index.ts'
import { getCampaign } from '../../../domain/campaigns/index.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Time } from '../../../edge/schemas.ts'

const Hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const Address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .meta({ examples: ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'] })
const Units = z.string().regex(/^\d+$/).describe('A decimal number of base units.')
const Nodes = z.array(z.string()).describe('Trie nodes as hex, from the root down.')

const ProofEntry = component('ProofEntry', {
  id: z.int(),
  kind: z.string(),
  debit: z.string(),
  credit: z.string(),
  campaignId: Id,
  asset: z.string(),
  amount: Units,
  donationId: Id.nullable(),
  transfer: z
    .object({ chainId: z.int(), txHash: Hash, position: z.int(), recipient: Address })
    .nullable(),
  generation: z.int().nullable(),
  block: z.object({ number: z.int(), hash: Hash }).nullable(),
  milestoneId: Id.nullable(),
  reverses: z.int().nullable(),
  createdAt: Time,
  seal: z.int().describe('The `seq` of the seal that contains the entry.'),
  position: z.int().describe('The position of the entry in that seal, from 0.'),
  path: z.array(Hash).describe('The siblings from the leaf up to the root.'),
})

const ProofSeal = component('ProofSeal', {
  seq: z.int(),
  previousHead: Hash,
  root: Hash,
  entries: z.int(),
  totalEntries: z.int(),
  sealedAt: Time,
  head: Hash,
  previousGlobalHead: Hash,
  globalHead: Hash,
  keyId: z.string(),
  signature: z.string().describe('An Ed25519 signature in base64url.'),
})

const DonationProof = component('DonationProof', {
  version: z.union([z.literal(1), z.literal(2)]).describe('2: with `finality`.'),
  chainId: z.int(),
  donation: z.object({
    id: Id,
    campaignId: Id,
    account: Address,
    asset: z.string(),
    amount: Units,
    sender: Address.nullable(),
    txHash: Hash,
    position: z.int().meta({
      description:
        'From 0: the index of the log in its receipt. -1: the value of the transaction itself. Below -1: a payment by calls.',
    }),
  }),
  block: z.object({
    number: z.int(),
    hash: Hash,
    header: z.string().describe('The block header in RLP, as hex.'),
    parentHeader: z.string().nullable(),
  }),
  index: z.int().describe('The index of the transaction in its block.'),
  receipt: Nodes,
  transaction: Nodes.nullable(),
  balance: z.object({ after: Nodes, before: Nodes }).nullable(),
  escrow: z
    .string()
    .regex(/^0x[0-9a-f]+$/)
    .meta({
      description: "The packed terms of the campaign's escrow; absent without an escrow.",
      examples: ['0x5ca1ab1e'],
    })
    .optional(),
  finality: z
    .object({
      beginSlot: z.int().describe('The slot of an earlier block, with whose root to begin.'),
      update: z.looseObject({}).describe('A light client finality update (consensus-specs).'),
      headers: z.array(z.string()).describe('Block headers in RLP, as hex.'),
      history: z
        .object({ account: Nodes.meta({ examples: [['0xf90211a2']] }), storage: Nodes })
        .nullable(),
    })
    .describe('Shows with a checkpoint that the block is final; absent without a committee.')
    .optional(),
  ledger: z.object({
    entries: z.array(ProofEntry),
    seals: z.array(ProofSeal),
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
      }),
    ),
  }),
})

const LedgerHead = component('LedgerHead', {
  campaignId: Id,
  seq: z.int().describe('The number of the seal within its campaign, from 1.'),
  head: Hash,
  entries: z.int().describe('The number of entries that the head commits to.'),
  globalHead: Hash,
  signature: z.string().describe('An Ed25519 signature in base64url.'),
  keyId: z.string().describe('The id of a key in /.well-known/jwks.json.'),
  sealedAt: Time,
})

export const proofOperations = () => [
  route.get('/api/donations/:id/proof', {
    operationId: 'getDonationProof',
    summary: 'A proof to check a donation without this service.',
    auth: 'optional',
    answers: { 200: { description: 'The proof.', schema: DonationProof } },
    errors: ['proof_not_ready'],
    handler: async ({ ctx, params }) => ({ body: await getProof(ctx, params.id) }),
  }),
]

export const ledgerHeadOperations = () => [
  route.get('/api/campaigns/:id/ledger/head', {
    operationId: 'getLedgerHead',
    summary:
      "The newest signed head of a campaign's ledger. Keep it: it shows any later change of older entries.",
    auth: 'optional',
    answers: { 200: { description: 'The head.', schema: LedgerHead } },
    handler: async ({ ctx, params }) => {
      const campaign = await getCampaign(ctx, params.id)
      return { body: await getLedgerHead(ctx, campaign.id) }
    },
  }),
]
