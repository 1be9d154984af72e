export { createDeliverer, type Deliverer, type Delivery, type DeliveryResult } from './deliver.ts'
export { DELIVERY_ERROR_KINDS, type DeliveryErrorKind } from './delivery-error.ts'
export {
  type AddressGuard,
  type AddressPolicy,
  createAddressGuard,
  hostOf,
  MAX_URL_LENGTH,
  RefusedAddressError,
} from './guard.ts'
export { headerProblem, MAX_HEADERS } from './headers.ts'
export {
  newWebhookKeyPair,
  newWebhookSecret,
  type Signer,
  type Signing,
  signerOf,
} from './keys.ts'
