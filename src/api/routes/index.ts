import type { AppDeps } from '../../edge/deps.ts'
import type { Operation, Untagged } from '../../edge/operation.ts'
import { accountOperations } from './account/account.ts'
import { authOperations } from './account/auth.ts'
import { keyOperations } from './account/keys.ts'
import { notificationOperations } from './account/notifications.ts'
import { passwordOperations } from './account/passwords.ts'
import { roleOperations } from './account/roles.ts'
import { sessionOperations } from './account/sessions.ts'
import { walletSignInOperations } from './account/wallet-sign-in.ts'
import { walletOperations } from './account/wallets.ts'
import { accountProofOperations } from './campaigns/account-proof.ts'
import { campaignOperations, v1CampaignOperations } from './campaigns/campaigns.ts'
import { coverOperations } from './campaigns/covers.ts'
import { impactOperations, v1ImpactOperations } from './campaigns/impact.ts'
import { milestoneOperations } from './campaigns/milestones.ts'
import { updateOperations } from './campaigns/updates.ts'
import { depositOperations } from './donations/deposits.ts'
import { donationOperations } from './donations/donations.ts'
import { donationCsvOperations } from './donations/donations-csv.ts'
import { ledgerOperations } from './donations/ledger.ts'
import { ledgerHeadOperations, proofOperations } from './donations/proofs.ts'
import { reconciliationOperations } from './donations/reconciliation.ts'
import { v1DonationOperations } from './donations/v1-donations.ts'
import { escrowOperations, releaseOperations } from './escrow/escrows.ts'
import { refundOperations } from './escrow/refunds.ts'
import { verifierCallOperations } from './escrow/verifier-calls.ts'
import { chainOperations } from './system/chains.ts'
import { finalityOperations } from './system/finality.ts'
import { sandboxOperations } from './system/sandbox.ts'
import { systemOperations } from './system/system.ts'
import { eventOperations } from './webhooks/events.ts'
import { webhookDeliveryOperations } from './webhooks/webhook-deliveries.ts'
import { webhookOperations } from './webhooks/webhooks.ts'

/** All operations of this deployment, with their tags. `document` returns the OpenAPI document. */
export const createOperations = (deps: AppDeps, document: () => string): Operation[] => [
  ...tagged('auth', [
    ...authOperations(deps),
    ...accountOperations(deps),
    ...passwordOperations(deps),
    ...sessionOperations(deps),
  ]),
  ...tagged('wallets', walletOperations(deps)),
  ...tagged('auth', walletSignInOperations(deps)),
  ...tagged('keys', keyOperations(deps)),
  ...tagged('users', roleOperations(deps)),
  ...tagged('chains', chainOperations()),
  ...tagged('campaigns', [
    ...campaignOperations(),
    ...coverOperations(),
    ...accountProofOperations(),
    ...escrowOperations(),
  ]),
  ...tagged('donations', [...donationOperations(), ...donationCsvOperations()]),
  ...tagged('deposits', depositOperations()),
  ...tagged('campaigns', ledgerOperations()),
  ...tagged('donations', [...proofOperations(), ...finalityOperations()]),
  ...tagged('campaigns', ledgerHeadOperations()),
  ...tagged('ledger', reconciliationOperations()),
  ...tagged('impact', impactOperations()),
  ...tagged('updates', updateOperations()),
  ...tagged('milestones', [...milestoneOperations(), ...releaseOperations()]),
  ...tagged('escrow', refundOperations()),
  ...tagged('escrow', verifierCallOperations()),
  ...tagged('notifications', notificationOperations()),
  ...tagged('campaigns', v1CampaignOperations()),
  ...tagged('donations', v1DonationOperations()),
  ...tagged('impact', v1ImpactOperations()),
  ...tagged('webhooks', [...webhookOperations(), ...webhookDeliveryOperations()]),
  ...tagged('events', eventOperations(deps)),
  ...tagged('sandbox', sandboxOperations(deps)),
  ...tagged('system', systemOperations(deps, document)),
]

const tagged = (tag: string, operations: readonly Untagged[]): Operation[] =>
  operations.map((operation) => ({ ...operation, tag }))
