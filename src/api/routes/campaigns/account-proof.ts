import { z } from 'zod'
import { checkAccount, getAccountProof, proveAccount } from '../../../domain/campaigns/index.ts'
import { SignatureText } from '../../../domain/people/index.ts'
import { succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component, Time } from '../../../edge/schemas.ts'
import { EXAMPLE_SIGNATURE } from '../../openapi/samples.ts'
import { Campaign, toCampaignBody } from './campaign-body.ts'

const AccountProof = component('AccountProof', {
  proven: z.boolean(),
  provenAt: Time.nullable(),
  ledgerAccount: z.string(),
  chainId: z.int(),
  message: z.string().describe('The message that the account signs (EIP-191).'),
})

const ProveAccount = z.strictObject({
  /** Not needed if the creator has linked the campaign's account as a wallet. */
  signature: SignatureText.optional(),
})

export const accountProofOperations = () => [
  route.get('/api/campaigns/:id/account-proof', {
    operationId: 'getAccountProof',
    summary: "Whether your campaign's account is proven, and the message for it to sign.",
    auth: 'user',
    answers: { 200: { description: 'The state and the message.', schema: AccountProof } },
    handler: async ({ ctx, params }) => ({ body: await getAccountProof(ctx, params.id) }),
  }),
  route.post('/api/campaigns/:id/account-proof', {
    operationId: 'proveAccount',
    summary: "Prove that your campaign's account is yours. A campaign that waited for it opens.",
    auth: 'verified',
    scope: 'campaigns:write',
    body: ProveAccount,
    examples: { minimal: {}, full: { signature: EXAMPLE_SIGNATURE } },
    answers: { 200: success('The campaign with its proven account.', { campaign: Campaign }) },
    errors: [
      'invalid_signature',
      'account_in_use',
      'unknown_currency',
      'conflict',
      'blocked_for_legal_reasons',
    ],
    prepare: ({ ctx, params, body }) => checkAccount(ctx, params.id, body.signature),
    handler: async ({ ctx, params }, checked) =>
      succeed({ campaign: toCampaignBody(await proveAccount(ctx, params.id, checked)) }),
  }),
]
