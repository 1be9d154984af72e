import { z } from 'zod'
import { Email } from '../../../domain/account/index.ts'
import { listPrintedMail } from '../../../domain/people/index.ts'
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
} from '../../../domain/service/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Money, Time, toMoney } from '../../../edge/schemas.ts'
import type { DevChain } from '../../../kernel/dev-chain.ts'
import { EVENT_TYPES } from '../../../outbox/events.ts'
import { EXAMPLE_ACCOUNT, EXAMPLE_HASH, EXAMPLE_ID, EXAMPLE_WALLET } from '../../openapi/samples.ts'
import { exampleEventData } from '../../openapi/webhooks.ts'

const Mail = component('Mail', {
  id: Id,
  template: z.string(),
  subject: z.string(),
  text: z.string(),
  createdAt: Time,
})

const Hash = z.string().describe('The hash of a transaction, in lower case.')

/** Operations that only a sandbox has. Production does not have these paths. */
export const sandboxOperations = ({ settings, devChain }: AppDeps) =>
  settings.environment === 'sandbox'
    ? [
        walletOperation(),
        eventOperation(),
        ...(settings.mailIsPrinted ? [mailOperation()] : []),
        ...(devChain ? chainOperations(devChain) : []),
      ]
    : []

const mailOperation = () =>
  route.get('/api/sandbox/mail', {
    operationId: 'listSandboxMail',
    summary: 'The newest mails to an address. They are printed instead of sent.',
    auth: 'none',
    query: z.strictObject({ to: Email }),
    answers: { 200: success('Newest first.', { mail: z.array(Mail) }) },
    handler: async ({ ctx, query }) => succeed({ mail: await listPrintedMail(ctx, query) }),
  })

const walletOperation = () =>
  route.post('/api/sandbox/wallet', {
    operationId: 'createSandboxWallet',
    summary: 'Make a test wallet. Its private key is returned, and stored nowhere.',
    auth: 'none',
    answers: {
      201: success('The wallet.', {
        wallet: z.object({
          address: z.string(),
          privateKey: z.string().meta({ examples: [`0x${'4f'.repeat(32)}`] }),
        }),
      }),
    },
    handler: async () => succeed({ wallet: createTestWallet() }),
  })

const eventOperation = () =>
  route.post('/api/sandbox/event', {
    operationId: 'sendSandboxEvent',
    summary: 'Send an event that never happened to your own endpoints, marked `test: true`.',
    auth: 'verified',
    scope: 'webhooks:write',
    body: SendTestEvent,
    examples: {
      minimal: { event: 'donation.completed' },
      full: { event: 'donation.completed', endpointId: EXAMPLE_ID },
    },
    answers: {
      201: success('The event, and the endpoints that get it.', {
        event: z.object({
          id: Id,
          event: z.enum(EVENT_TYPES),
          created: Time,
          endpoints: z.array(Id),
        }),
      }),
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ ctx, body }) =>
      succeed({ event: await sendTestEvent(ctx, { ...body, data: exampleEventData(body.event) }) }),
  })

const chainOperations = (chain: DevChain) => [
  route.post('/api/sandbox/faucet', {
    operationId: 'useSandboxFaucet',
    summary: "Test money for an address: the development chain's coin, and its tokens.",
    auth: 'verified',
    body: FundAddress,
    examples: { minimal: { address: EXAMPLE_WALLET } },
    answers: {
      201: success('The test money. It arrives when a block holds `txHashes`.', {
        amounts: z.array(Money),
        txHashes: z.array(Hash),
      }),
    },
    errors: ['conflict'],
    handler: async ({ ctx, body }) => {
      const { amounts, txHashes } = await fundAddress(ctx, chain, body)
      return succeed({ amounts: amounts.map(toMoney), txHashes })
    },
  }),
  route.post('/api/sandbox/transfer', {
    operationId: 'sendSandboxTransfer',
    summary: 'Send a real transaction on the development chain, as a donor would.',
    auth: 'verified',
    body: SendTransfer,
    examples: { minimal: { to: EXAMPLE_ACCOUNT, amount: '12.50', currency: 'USDC' } },
    answers: {
      201: success('Sent; a block will hold it.', {
        transfer: z.object({
          txHash: Hash,
          from: z.string(),
          to: z.string(),
          chainId: z.int(),
        }),
      }),
    },
    errors: ['invalid_amount', 'unknown_currency', 'conflict'],
    handler: async ({ ctx, body }) => succeed({ transfer: await sendTransfer(ctx, chain, body) }),
  }),
  route.post('/api/sandbox/reorg', {
    operationId: 'makeSandboxReorg',
    summary: 'Replace the newest blocks of the development chain by empty blocks.',
    auth: 'verified',
    body: Reorganise,
    examples: { minimal: { depth: 2 } },
    answers: { 200: success('Replaced.', { replacedBlocks: z.int() }) },
    errors: ['conflict'],
    handler: async ({ ctx, body }) => {
      await reorganise(ctx, chain, body)
      return succeed({ replacedBlocks: body.depth })
    },
  }),
  route.post('/api/sandbox/drop', {
    operationId: 'dropSandboxTransaction',
    summary: 'Make a transaction of the development chain vanish, mined or not.',
    auth: 'verified',
    body: DropTransaction,
    examples: { minimal: { txHash: EXAMPLE_HASH } },
    answers: {
      200: success('Removed, with the replaced blocks.', {
        replacedBlocks: z.int(),
      }),
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ ctx, body }) => succeed({ ...(await dropTransaction(ctx, chain, body)) }),
  }),
]
