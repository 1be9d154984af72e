/** The feed of events, webhook endpoints and their deliveries. */

export { claimDeliveries, releaseDeliveries } from './delivery/claim-deliveries.ts'
export type { AttemptResult, ClaimedDelivery } from './delivery/claimed-delivery.ts'
export { getDelivery, ListDeliveries, listDeliveries } from './delivery/list-deliveries.ts'
export { cancelDeliveries, pruneDeliveries } from './delivery/prune-deliveries.ts'
export { recordAttempts } from './delivery/record-attempts.ts'
export { relayEvents } from './delivery/relay-events.ts'
export { ReplayDeliveries, replayDeliveries } from './delivery/replay-deliveries.ts'
export { resendDelivery } from './delivery/resend-delivery.ts'
export { sendTest, writeTestEvent } from './delivery/test-event.ts'
export { createEventTail, type EventTail, type TailedEvent } from './event/event-tail.ts'
export { EventFilter, passes } from './event/filter.ts'
export {
  BEGINNING,
  decodePosition,
  encodePosition,
  isAfter,
  laterOf,
  type Position,
  startOf,
} from './event/position.ts'
export {
  feedHorizon,
  horizonOf,
  knownPosition,
  positionBefore,
  readFeed,
} from './event/read-feed.ts'
export { campaignVersion, donationVersion } from './live/versions.ts'
export { changeEndpoint } from './webhook/change-endpoint.ts'
export { addressPolicy } from './webhook/check-url.ts'
export { createEndpoint, MAX_ENDPOINTS } from './webhook/create-endpoint.ts'
export {
  cancelForeignDeliveries,
  deleteEndpoint,
  deleteEndpointsOf,
  eraseEndpointsOf,
  pauseEndpointsOf,
} from './webhook/end-endpoints.ts'
export { getEndpoint, listEndpoints } from './webhook/get-endpoint.ts'
export { forgetKeys, rotateSecret } from './webhook/rotate-secret.ts'
export { ChangeEndpoint, CreateEndpoint } from './webhook/schemas.ts'
