import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import {
  type AddressPolicy,
  createAddressGuard,
  hostOf,
  RefusedAddressError,
} from '../../../webhooks/index.ts'

/** Requires https outside the sandbox. A setting may allow loopback addresses. */
export const addressPolicy = (
  settings: Pick<Context['settings'], 'environment' | 'webhooksAllowLoopback'>,
): AddressPolicy => ({
  requireHttps: settings.environment !== 'sandbox',
  allowLoopback: settings.webhooksAllowLoopback,
})

/**
 * Checks the URL of a webhook and returns it in the form to store, without a fragment.
 *
 * @throws DomainError `webhook_url_refused` if the URL is not allowed, or if it leads to this
 *   service: to the host of the public URL, or to a loopback address with a port of this service
 */
export const checkUrl = ({ settings }: Pick<Context, 'settings'>, text: string): string => {
  try {
    const guard = createAddressGuard(addressPolicy(settings))
    const url = guard.checkUrl(text)
    const isOwn = guard.isLoopback(url)
      ? settings.listenPorts.includes(portOf(url))
      : hostOf(url) === hostOf(new URL(settings.publicUrl))
    if (isOwn) throw new RefusedAddressError('The URL belongs to this service.')
    url.hash = ''
    return url.href
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error
    throw new DomainError('webhook_url_refused', error.message, [
      { path: 'url', message: error.message },
    ])
  }
}

/** Whether a URL is an allowed loopback URL. Other URLs get few requests until they answer. */
export const isTrusted = ({ settings }: Pick<Context, 'settings'>, url: string): boolean =>
  settings.webhooksAllowLoopback &&
  createAddressGuard(addressPolicy(settings)).isLoopback(new URL(url))

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80))
