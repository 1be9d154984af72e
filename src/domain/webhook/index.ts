export { addressPolicy } from './address-policy.ts'
export { cancelForeignDeliveries } from './cancel-deliveries.ts'
export { ChangeEndpoint, changeEndpoint } from './change-endpoint.ts'
export { CreateEndpoint, createEndpoint, MAX_ENDPOINTS } from './create-endpoint.ts'
export { deleteEndpoint, deleteEndpointsOf, eraseEndpointsOf } from './delete-endpoint.ts'
export { disableEndpoints } from './disable-endpoints.ts'
export type { EndpointView } from './endpoint-view.ts'
export { forgetKeys } from './forget-keys.ts'
export {
  type FoundEndpoint,
  getEndpoint,
  ownEndpoint,
  ownOpenEndpoint,
  stillGets,
} from './get-endpoint.ts'
export { listEndpoints } from './list-endpoints.ts'
export { pauseEndpointsOf } from './pause-endpoints.ts'
export { rotateSecret } from './rotate-secret.ts'
export { openHeaders, openSigners, type SealedKeys } from './sealed-keys.ts'
