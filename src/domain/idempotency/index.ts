export { pruneIdempotencyKeys } from './prune-keys.ts'
export { type OnceInput, runOnce, type StoredAnswer } from './run-once.ts'
export { callerOfUser, forgetAnswersOf } from './stored-answers.ts'
