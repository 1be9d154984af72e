import { DomainError } from '../../kernel/errors.ts'
import { createAddressGuard, RefusedAddressError } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { addressPolicy } from './address-policy.ts'

/**
 * The URL in the form that is stored, without its fragment.
 *
 * @throws DomainError `webhook_url_refused` for what must not be called, this service included
 */
export const checkUrl = ({ settings }: Pick<Context, 'settings'>, text: string): string => {
  try {
    const url = createAddressGuard(addressPolicy(settings)).checkUrl(text)
    if (url.origin === new URL(settings.publicUrl).origin) {
      throw new RefusedAddressError('The URL is one of this service.')
    }
    url.hash = ''
    return url.href
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error
    throw new DomainError('webhook_url_refused', error.message, [
      { path: 'url', message: error.message },
    ])
  }
}
