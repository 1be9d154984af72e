export { createEventTail, type EventTail, type TailedEvent } from './event-tail.ts'
export { EventFilter, passes } from './filter.ts'
export {
  BEGINNING,
  decodePosition,
  encodePosition,
  isAfter,
  laterOf,
  type Position,
  startOf,
} from './position.ts'
export { feedHorizon, horizonOf, knownPosition, positionBefore, readFeed } from './read-feed.ts'
