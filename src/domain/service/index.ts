/** What serves every operation: rate limits, idempotency, the sandbox, metrics, assets. */

export { needsProof, readAssets, refuseMissing, storeAssets } from './asset/store-assets.ts'
export {
  callerOfUser,
  forgetAnswersOf,
  pruneIdempotencyKeys,
  runOnce,
} from './idempotency/run-once.ts'
export { type AttemptLimit, type Attempts, createAttempts } from './rate-limit/attempts.ts'
export { createRateLimiter, type RateLimiter, type Verdict } from './rate-limit/limiter.ts'
export { createPolicies, type Policies } from './rate-limit/policy.ts'
export { pruneRateLimits } from './rate-limit/window-counts.ts'
export {
  DropTransaction,
  FundAddress,
  Reorganise,
  SendTestEvent,
  SendTransfer,
} from './sandbox/schemas.ts'
export { sendTestEvent } from './sandbox/send-test-event.ts'
export {
  createTestWallet,
  dropTransaction,
  fundAddress,
  reorganise,
  sendTransfer,
} from './sandbox/use-dev-chain.ts'
export { createCollectors, createDatabaseCollector } from './stats/collectors.ts'
