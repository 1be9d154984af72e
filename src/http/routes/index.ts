import type { AppDeps } from '../deps.ts'
import type { Operation } from '../operation.ts'
import { accountOperations } from './account.ts'
import { accountProofOperations } from './account-proof.ts'
import { authOperations } from './auth.ts'
import { campaignOperations } from './campaigns.ts'
import { chainOperations } from './chains.ts'
import { coverOperations } from './covers.ts'
import { depositOperations } from './deposits.ts'
import { donationOperations } from './donations.ts'
import { donationCsvOperations } from './donations-csv.ts'
import { eventOperations } from './events.ts'
import { impactOperations } from './impact.ts'
import { keyOperations } from './keys.ts'
import { ledgerOperations } from './ledger.ts'
import { milestoneOperations } from './milestones.ts'
import { notificationOperations } from './notifications.ts'
import { passwordOperations } from './passwords.ts'
import { proofOperations } from './proofs.ts'
import { reconciliationOperations } from './reconciliation.ts'
import { roleOperations } from './roles.ts'
import { sandboxOperations } from './sandbox.ts'
import { sessionOperations } from './sessions.ts'
import { systemOperations } from './system.ts'
import { updateOperations } from './updates.ts'
import { v1Operations } from './v1/index.ts'
import { walletSignInOperations } from './wallet-sign-in.ts'
import { walletOperations } from './wallets.ts'
import { webhookDeliveryOperations } from './webhook-deliveries.ts'
import { webhookOperations } from './webhooks.ts'

/** Every operation of this deployment. `document` gives the OpenAPI text of all of them. */
export const createOperations = (deps: AppDeps, document: () => string): Operation[] => [
  ...authOperations(deps),
  ...accountOperations(deps),
  ...passwordOperations(deps),
  ...sessionOperations(deps),
  ...walletOperations(),
  ...walletSignInOperations(deps),
  ...keyOperations(),
  ...roleOperations(deps),
  ...chainOperations(),
  ...campaignOperations(),
  ...coverOperations(),
  ...accountProofOperations(),
  ...donationOperations(),
  ...donationCsvOperations(),
  ...depositOperations(),
  ...ledgerOperations(),
  ...proofOperations(),
  ...reconciliationOperations(),
  ...impactOperations(),
  ...updateOperations(),
  ...milestoneOperations(),
  ...notificationOperations(),
  ...v1Operations(),
  ...webhookOperations(),
  ...webhookDeliveryOperations(),
  ...eventOperations(deps),
  ...sandboxOperations(deps),
  ...systemOperations(deps, document),
]
