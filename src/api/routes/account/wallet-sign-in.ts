import { signInWithWallet } from '../../../domain/account/index.ts'
import { challengeSignIn, checkSigned, SignedChallenge } from '../../../domain/people/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import type { AppDeps } from '../../../edge/deps.ts'
import { route } from '../../../edge/route.ts'
import { createIssue, Tokens, toUserBody, User } from './session-body.ts'
import { CHALLENGE, SIGNED_EXAMPLES } from './wallets.ts'

const SIGNED_IN = { user: User, tokens: Tokens }

/** Operations that sign in with a wallet. A wallet that is not linked yet gets a new account. */
export const walletSignInOperations = ({ credentials, tokens }: AppDeps) => {
  const issue = createIssue(tokens)
  return [
    route.post('/api/auth/wallets/sign-in/challenge', {
      operationId: 'challengeSignIn',
      summary: 'Get the message that your wallet signs to sign you in.',
      auth: 'none',
      ...CHALLENGE,
      handler: async ({ ctx, body }) => succeed({ challenge: await challengeSignIn(ctx, body) }),
    }),
    route.post('/api/auth/wallets/sign-in', {
      operationId: 'signInWithWallet',
      summary: 'Sign in with a wallet: a key or a contract (EIP-4361, EIP-1271, ERC-6492).',
      auth: 'none',
      body: SignedChallenge,
      examples: SIGNED_EXAMPLES,
      answers: {
        201: success('A new account, without an email address.', SIGNED_IN),
        200: success('The account that has linked the wallet.', SIGNED_IN),
      },
      errors: [
        'invalid_challenge',
        'invalid_signature',
        'wallet_taken',
        'conflict',
        'forbidden',
        'blocked_for_legal_reasons',
      ],
      prepare: ({ ctx, body }) => checkSigned(ctx, body),
      handler: async ({ ctx, header, countNew }, checked) => {
        const client = { kind: 'api', userAgent: header('user-agent') } as const
        const signedIn = await signInWithWallet(ctx, credentials, checked, client, countNew)
        const { session, created } = signedIn
        return succeed(
          { user: toUserBody(session.user), tokens: await issue(session) },
          { status: created ? 201 : 200 },
        )
      },
    }),
  ]
}
