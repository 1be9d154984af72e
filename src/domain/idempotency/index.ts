export { callerOfUser, forgetAnswersOf, pruneIdempotencyKeys, runOnce } from './run-once.ts'
