export type { Amount, AmountInput } from './amount.ts'
export { Call, type CallOptions, type ResponseInfo, type WithResponse } from './call.ts'
export { Fundproof } from './client.ts'
export type { FileInput } from './core.ts'
export { Donations, type WaitOptions } from './donations.ts'
export * from './errors.ts'
export { EventStream, type StreamOptions } from './event-stream.ts'
export type { Hooks, RequestNotice, ResponseNotice, RetryNotice } from './exchange.ts'
export {
  type FakeAnswer,
  type FakeRequest,
  type FakeStep,
  FakeTransport,
} from './fake-transport.ts'
export { ERROR_CODES, EVENT_TYPES, SPEC_VERSION } from './generated/facts.ts'
export type * from './generated/types.ts'
export type { Environment, FundproofOptions } from './options.ts'
export { List, Page } from './page.ts'
export type { StoredTokens, TokenPair, TokenStore } from './tokens.ts'
export {
  FetchTransport,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts'
export { VERSION } from './version.ts'
