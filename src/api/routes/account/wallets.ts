import { z } from 'zod'
import { confirmCaller, LinkWallet, linkWallet } from '../../../domain/account/index.ts'
import {
  ChallengeWallet,
  challengeWallet,
  checkSigned,
  listWallets,
  unlinkWallet,
} from '../../../domain/people/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { guessOf } from '../../../edge/request/account-secret.ts'
import { route } from '../../../edge/route.ts'
import { component, Id, Time } from '../../../edge/schemas.ts'
import { EXAMPLE_NONCE, EXAMPLE_SIGNATURE, EXAMPLE_WALLET } from '../../openapi/samples.ts'

const Wallet = component('Wallet', {
  id: Id,
  address: z.string(),
  chainId: z.int(),
  method: z.enum(['ecdsa', 'eip1271', 'eip6492']),
  createdAt: Time,
})

const WalletChallenge = component('WalletChallenge', {
  nonce: z.string(),
  message: z.string().describe('The text to sign unchanged (EIP-4361, EIP-191).'),
  address: z.string(),
  chainId: z.int(),
  expiresAt: Time,
})

/** The parts of an operation that gives a wallet a message to sign. */
export const CHALLENGE = {
  body: ChallengeWallet,
  examples: {
    minimal: { address: EXAMPLE_WALLET },
    full: { address: EXAMPLE_WALLET, chainId: 1 },
  },
  answers: {
    201: success('The message, valid once in ten minutes.', { challenge: WalletChallenge }),
  },
  errors: ['unknown_chain'],
} as const

/** Example bodies that send the signature back. */
export const SIGNED_EXAMPLES = {
  minimal: { nonce: EXAMPLE_NONCE, signature: EXAMPLE_SIGNATURE },
  full: {
    message: `api.example.org wants you to sign in with your Ethereum account:\n${EXAMPLE_WALLET}\n…`,
    signature: EXAMPLE_SIGNATURE,
  },
}

export const walletOperations = ({ credentials }: AppDeps) => [
  route.post('/api/auth/wallets/challenge', {
    operationId: 'challengeWallet',
    summary: 'Get the message that a wallet signs to be linked to you.',
    auth: 'verified',
    ...CHALLENGE,
    handler: async ({ ctx, body }) => succeed({ challenge: await challengeWallet(ctx, body) }),
  }),
  route.post('/api/auth/wallets', {
    operationId: 'linkWallet',
    summary:
      'Link a wallet by its signature: a key or a contract (EIP-1271, ERC-6492). Send your password if your sign-in is older than ten minutes.',
    auth: 'verified',
    body: LinkWallet,
    examples: {
      minimal: SIGNED_EXAMPLES.minimal,
      full: { ...SIGNED_EXAMPLES.full, password: 'quiet-river-42-stones' },
    },
    answers: {
      201: success('Linked. A notice is mailed to you.', { wallet: Wallet }),
      200: success('The wallet was already linked to you.', { wallet: Wallet }),
    },
    errors: [
      'invalid_challenge',
      'invalid_signature',
      'wallet_taken',
      'conflict',
      'blocked_for_legal_reasons',
      'invalid_credentials',
      'sign_in_again',
    ],
    attempt: ({ ctx, body }) => guessOf(ctx, body),
    prepare: async ({ ctx, caller, body: { password, ...signed } }) => {
      const checked = await checkSigned(ctx, signed, caller?.userId ?? '')
      const confirmed = await confirmCaller(ctx, credentials, password, { orRecent: true })
      return { confirmed, checked }
    },
    handler: async ({ ctx }, { confirmed, checked }) => {
      const { wallet, created } = await linkWallet(ctx, confirmed, checked)
      return succeed({ wallet }, { status: created ? 201 : 200 })
    },
  }),
  route.get('/api/auth/wallets', {
    operationId: 'listWallets',
    summary: 'Your linked wallets.',
    auth: 'user',
    answers: { 200: success('All wallets, the first linked first.', { wallets: z.array(Wallet) }) },
    handler: async ({ ctx }) => succeed({ wallets: await listWallets(ctx) }),
  }),
  route.delete('/api/auth/wallets/:id', {
    operationId: 'unlinkWallet',
    summary: 'Unlink a wallet.',
    auth: 'verified',
    answers: { 204: { description: 'Unlinked.' } },
    errors: ['conflict'],
    handler: ({ ctx, params }) => unlinkWallet(ctx, params.id),
  }),
]
