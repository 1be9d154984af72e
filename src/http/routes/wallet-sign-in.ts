import { z } from 'zod'
import { checkSignIn, signInWithWallet } from '../../domain/user/index.ts'
import { ChallengeWallet, challengeSignIn, SignedChallenge } from '../../domain/wallet/index.ts'
import type { AppDeps } from '../deps.ts'
import { type Operation, operation } from '../operation.ts'
import { Success } from '../schemas.ts'
import { createIssue, Tokens, toUserBody, User } from './session-body.ts'
import { CHALLENGE_EXAMPLES, SIGNED_EXAMPLES, WalletChallenge } from './wallets.ts'

const SignedIn = z.object({ success: Success, user: User, tokens: Tokens })

/** Accounts that a wallet makes and opens. */
export const walletSignInOperations = ({ credentials, tokens }: AppDeps): Operation[] => {
  const issue = createIssue(tokens)
  return [
    operation({
      method: 'post',
      path: '/api/auth/wallets/sign-in/challenge',
      operationId: 'challengeSignIn',
      summary: 'Get a message that signs you in once your wallet has signed it.',
      tag: 'auth',
      auth: 'none',
      body: ChallengeWallet,
      examples: CHALLENGE_EXAMPLES,
      answers: {
        201: {
          description: 'The message, good once, for ten minutes.',
          schema: z.object({ success: Success, challenge: WalletChallenge }),
        },
      },
      errors: ['unknown_chain'],
      handler: async ({ ctx, body }) => ({
        status: 201,
        body: { success: true, challenge: await challengeSignIn(ctx, body) },
      }),
    }),
    operation({
      method: 'post',
      path: '/api/auth/wallets/sign-in',
      operationId: 'signInWithWallet',
      summary: 'Sign in with a wallet, a key or a contract (EIP-4361, EIP-1271, ERC-6492).',
      tag: 'auth',
      auth: 'none',
      body: SignedChallenge,
      examples: SIGNED_EXAMPLES,
      answers: {
        201: { description: 'A new account, without an email address.', schema: SignedIn },
        200: { description: 'The account that has linked the wallet.', schema: SignedIn },
      },
      errors: [
        'invalid_challenge',
        'invalid_signature',
        'wallet_taken',
        'conflict',
        'forbidden',
        'blocked_for_legal_reasons',
      ],
      prepare: ({ ctx, body }) => checkSignIn(ctx, body),
      handler: async ({ ctx, header }, checked) => {
        const userAgent = header('user-agent')
        const { session, created } = await signInWithWallet(ctx, credentials, checked, userAgent)
        return {
          status: created ? 201 : 200,
          body: { success: true, user: toUserBody(session.user), tokens: await issue(session) },
        }
      },
    }),
  ]
}
