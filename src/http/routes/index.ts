import type { AppDeps } from '../deps.ts'
import type { Operation, Untagged } from '../operation.ts'
import { accountOperations } from './account.ts'
import { accountProofOperations } from './account-proof.ts'
import { authOperations } from './auth.ts'
import { campaignOperations, v1CampaignOperations } from './campaigns.ts'
import { chainOperations } from './chains.ts'
import { coverOperations } from './covers.ts'
import { depositOperations } from './deposits.ts'
import { donationOperations } from './donations.ts'
import { donationCsvOperations } from './donations-csv.ts'
import { eventOperations } from './events.ts'
import { impactOperations, v1ImpactOperations } from './impact.ts'
import { keyOperations } from './keys.ts'
import { ledgerOperations } from './ledger.ts'
import { milestoneOperations } from './milestones.ts'
import { notificationOperations } from './notifications.ts'
import { passwordOperations } from './passwords.ts'
import { ledgerHeadOperations, proofOperations } from './proofs.ts'
import { reconciliationOperations } from './reconciliation.ts'
import { roleOperations } from './roles.ts'
import { sandboxOperations } from './sandbox.ts'
import { sessionOperations } from './sessions.ts'
import { systemOperations } from './system.ts'
import { updateOperations } from './updates.ts'
import { v1DonationOperations } from './v1-donations.ts'
import { walletSignInOperations } from './wallet-sign-in.ts'
import { walletOperations } from './wallets.ts'
import { webhookDeliveryOperations } from './webhook-deliveries.ts'
import { webhookOperations } from './webhooks.ts'

/** Every operation of this deployment, by its group. `document` gives the OpenAPI text of all. */
export const createOperations = (deps: AppDeps, document: () => string): Operation[] => [
  ...tagged('auth', [
    ...authOperations(deps),
    ...accountOperations(deps),
    ...passwordOperations(deps),
    ...sessionOperations(deps),
  ]),
  ...tagged('wallets', walletOperations()),
  ...tagged('auth', walletSignInOperations(deps)),
  ...tagged('keys', keyOperations()),
  ...tagged('users', roleOperations(deps)),
  ...tagged('chains', chainOperations()),
  ...tagged('campaigns', [
    ...campaignOperations(),
    ...coverOperations(),
    ...accountProofOperations(),
  ]),
  ...tagged('donations', [...donationOperations(), ...donationCsvOperations()]),
  ...tagged('deposits', depositOperations()),
  ...tagged('campaigns', ledgerOperations()),
  ...tagged('donations', proofOperations()),
  ...tagged('campaigns', ledgerHeadOperations()),
  ...tagged('ledger', reconciliationOperations()),
  ...tagged('impact', impactOperations()),
  ...tagged('updates', updateOperations()),
  ...tagged('milestones', milestoneOperations()),
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
