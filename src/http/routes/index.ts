import type { AppDeps } from '../deps.ts'
import type { Operation } from '../operation.ts'
import { authOperations } from './auth.ts'
import { campaignOperations } from './campaigns.ts'
import { donationOperations } from './donations.ts'
import { sandboxOperations } from './sandbox.ts'
import { systemOperations } from './system.ts'
import { webhookOperations } from './webhooks.ts'

/** Every operation of this deployment. `document` gives the OpenAPI text of all of them. */
export const createOperations = (deps: AppDeps, document: () => string): Operation[] => [
  ...authOperations(deps),
  ...campaignOperations(),
  ...donationOperations(),
  ...webhookOperations(),
  ...sandboxOperations(deps),
  ...systemOperations(deps, document),
]
