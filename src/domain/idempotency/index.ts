export { pruneIdempotencyKeys } from './prune-keys.ts'
export { type OnceInput, runOnce, type StoredAnswer } from './run-once.ts'
