import { runError, runPage, runRetry, runWait } from './calls.ts'
import { runConfiguration, runMoney, runPath, runQuery, runRetryAfter, runSse } from './parts.ts'
import { runWebhook } from './webhooks.ts'

/** The runner of each file of vectors. */
export const RUNNERS: Readonly<Record<string, (one: never, shared: never) => Promise<void>>> = {
  configuration: runConfiguration,
  errors: runError,
  money: runMoney,
  pages: runPage,
  paths: runPath,
  queries: runQuery,
  retries: runRetry,
  'retry-after': runRetryAfter,
  sse: runSse,
  wait: runWait,
  webhooks: runWebhook,
}
