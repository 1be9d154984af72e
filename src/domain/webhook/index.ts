export { changeEndpoint } from './change-endpoint.ts'
export { addressPolicy } from './check-url.ts'
export { createEndpoint, MAX_ENDPOINTS } from './create-endpoint.ts'
export {
  cancelForeignDeliveries,
  deleteEndpoint,
  deleteEndpointsOf,
  disableEndpoints,
  eraseEndpointsOf,
  pauseEndpointsOf,
} from './end-endpoints.ts'
export {
  type FoundEndpoint,
  getEndpoint,
  listEndpoints,
  ownEndpoint,
  ownOpenEndpoint,
  stillGets,
} from './get-endpoint.ts'
export { forgetKeys, rotateSecret } from './rotate-secret.ts'
export { ChangeEndpoint, CreateEndpoint } from './schemas.ts'
export { openHeaders, openSigners, type SealedKeys } from './sealed-keys.ts'
