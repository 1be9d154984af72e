export { type AttemptLimit, type Attempts, createAttempts } from './attempts.ts'
export {
  createRateLimiter,
  type RateLimiter,
  type RateLimiterDeps,
  type Verdict,
} from './limiter.ts'
export { createPolicies, type Policies, type Policy } from './policy.ts'
export { pruneRateLimits } from './window-counts.ts'
