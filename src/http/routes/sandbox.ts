import { z } from 'zod'
import { listPrintedMail } from '../../domain/mail/index.ts'
import {
  createTestWallet,
  DropTransaction,
  dropTransaction,
  FundAddress,
  fundAddress,
  Reorganise,
  reorganise,
  SendTestEvent,
  SendTransfer,
  sendTestEvent,
  sendTransfer,
} from '../../domain/sandbox/index.ts'
import { Email } from '../../domain/user/index.ts'
import type { DevChain } from '../../kernel/dev-chain.ts'
import { EVENT_TYPES } from '../../outbox/events.ts'
import type { AppDeps } from '../deps.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_HASH, EXAMPLE_ID, EXAMPLE_WALLET } from '../openapi/samples.ts'
import { exampleEventData } from '../openapi/webhooks.ts'
import { type Operation, operation } from '../operation.ts'
import { Id, Money, Success, Time, toMoney } from '../schemas.ts'

const Mail = z
  .object({
    id: Id,
    template: z.string(),
    subject: z.string(),
    text: z.string(),
    createdAt: Time,
  })
  .meta({ id: 'Mail' })

const Hash = z.string().meta({ description: 'Of a transaction, in lower case.' })

/** Only where nothing is real: in production these paths do not exist. */
export const sandboxOperations = ({ settings, devChain }: AppDeps): Operation[] =>
  settings.environment === 'sandbox'
    ? [
        walletOperation(),
        eventOperation(),
        ...(settings.mailIsPrinted ? [mailOperation()] : []),
        ...(devChain ? chainOperations(devChain) : []),
      ]
    : []

const mailOperation = () =>
  operation({
    method: 'get',
    path: '/api/sandbox/mail',
    operationId: 'listSandboxMail',
    summary: 'The newest mail to an address, which is printed instead of sent.',
    tag: 'sandbox',
    auth: 'none',
    query: z.strictObject({ to: Email }),
    answers: {
      200: {
        description: 'Newest first.',
        schema: z.object({ success: Success, mail: z.array(Mail) }),
      },
    },
    handler: async ({ ctx, query }) => ({
      status: 200,
      body: { success: true, mail: await listPrintedMail(ctx, query) },
    }),
  })

const walletOperation = () =>
  operation({
    method: 'post',
    path: '/api/sandbox/wallet',
    operationId: 'createSandboxWallet',
    summary: 'A fresh test wallet. Its key is returned, and stored nowhere.',
    tag: 'sandbox',
    auth: 'none',
    answers: {
      201: {
        description: 'The wallet.',
        schema: z.object({
          success: Success,
          wallet: z.object({
            address: z.string(),
            privateKey: z.string().meta({ examples: [`0x${'4f'.repeat(32)}`] }),
          }),
        }),
      },
    },
    handler: async () => ({ status: 201, body: { success: true, wallet: createTestWallet() } }),
  })

const eventOperation = () =>
  operation({
    method: 'post',
    path: '/api/sandbox/event',
    operationId: 'sendSandboxEvent',
    summary: 'Send an event that never happened to your own endpoints, marked `test: true`.',
    tag: 'sandbox',
    auth: 'verified',
    scope: 'webhooks:write',
    body: SendTestEvent,
    examples: {
      minimal: { event: 'donation.completed' },
      full: { event: 'donation.completed', endpointId: EXAMPLE_ID },
    },
    answers: {
      201: {
        description: 'The event, and the endpoints that it goes to.',
        schema: z.object({
          success: Success,
          event: z.object({
            id: Id,
            event: z.enum(EVENT_TYPES),
            created: Time,
            endpoints: z.array(Id),
          }),
        }),
      },
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ ctx, body }) => ({
      status: 201,
      body: {
        success: true,
        event: await sendTestEvent(ctx, { ...body, data: exampleEventData(body.event) }),
      },
    }),
  })

const chainOperations = (chain: DevChain): Operation[] => [
  operation({
    method: 'post',
    path: '/api/sandbox/faucet',
    operationId: 'useSandboxFaucet',
    summary: "Test money for an address: the development chain's coin, and its tokens.",
    tag: 'sandbox',
    auth: 'verified',
    body: FundAddress,
    examples: { minimal: { address: EXAMPLE_WALLET } },
    answers: {
      201: {
        description: 'What is on its way: it is there once a block holds `txHashes`.',
        schema: z.object({
          success: Success,
          amounts: z.array(Money),
          txHashes: z.array(Hash),
        }),
      },
    },
    errors: ['conflict'],
    handler: async ({ ctx, body }) => {
      const { amounts, txHashes } = await fundAddress(ctx, chain, body)
      return { status: 201, body: { success: true, amounts: amounts.map(toMoney), txHashes } }
    },
  }),
  operation({
    method: 'post',
    path: '/api/sandbox/transfer',
    operationId: 'sendSandboxTransfer',
    summary: 'Send a real transaction on the development chain, as a donor would.',
    tag: 'sandbox',
    auth: 'verified',
    body: SendTransfer,
    examples: { minimal: { to: EXAMPLE_ACCOUNT, amount: '12.50', currency: 'USDC' } },
    answers: {
      201: {
        description: 'Sent; a block will hold it.',
        schema: z.object({
          success: Success,
          transfer: z.object({
            txHash: Hash,
            from: z.string(),
            to: z.string(),
            chainId: z.int(),
          }),
        }),
      },
    },
    errors: ['invalid_amount', 'unknown_currency', 'conflict'],
    handler: async ({ ctx, body }) => ({
      status: 201,
      body: { success: true, transfer: await sendTransfer(ctx, chain, body) },
    }),
  }),
  operation({
    method: 'post',
    path: '/api/sandbox/reorg',
    operationId: 'makeSandboxReorg',
    summary: 'Replace the newest blocks of the development chain by empty ones.',
    tag: 'sandbox',
    auth: 'verified',
    body: Reorganise,
    examples: { minimal: { depth: 2 } },
    answers: {
      200: {
        description: 'Replaced.',
        schema: z.object({ success: Success, replacedBlocks: z.int() }),
      },
    },
    errors: ['conflict'],
    handler: async ({ ctx, body }) => {
      await reorganise(ctx, chain, body)
      return { status: 200, body: { success: true, replacedBlocks: body.depth } }
    },
  }),
  operation({
    method: 'post',
    path: '/api/sandbox/drop',
    operationId: 'dropSandboxTransaction',
    summary: 'Make a transaction of the development chain vanish, mined or not.',
    tag: 'sandbox',
    auth: 'verified',
    body: DropTransaction,
    examples: { minimal: { txHash: EXAMPLE_HASH } },
    answers: {
      200: {
        description: 'Gone, with this many blocks replaced.',
        schema: z.object({ success: Success, replacedBlocks: z.int() }),
      },
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ ctx, body }) => ({
      status: 200,
      body: { success: true, ...(await dropTransaction(ctx, chain, body)) },
    }),
  }),
]
