import { DomainError } from '../../kernel/errors.ts'
import { createAddressGuard, hostOf, RefusedAddressError } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import { addressPolicy } from './address-policy.ts'

/**
 * The URL in the form that is stored, without its fragment.
 *
 * @throws DomainError `webhook_url_refused` for an address that must not be called: on this machine
 *   the ports of this service, elsewhere its host
 */
export const checkUrl = ({ settings }: Pick<Context, 'settings'>, text: string): string => {
  try {
    const guard = createAddressGuard(addressPolicy(settings))
    const url = guard.checkUrl(text)
    const isOwn = guard.isLoopback(url)
      ? settings.listenPorts.includes(portOf(url))
      : hostOf(url) === hostOf(new URL(settings.publicUrl))
    if (isOwn) throw new RefusedAddressError('The URL is one of this service.')
    url.hash = ''
    return url.href
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error
    throw new DomainError('webhook_url_refused', error.message, [
      { path: 'url', message: error.message },
    ])
  }
}

/**
 * Whether an address needs no first answer before it gets many requests: a receiver on a developer's
 * own machine, where the deployment allows that.
 */
export const isTrusted = ({ settings }: Pick<Context, 'settings'>, url: string): boolean =>
  settings.webhooksAllowLoopback &&
  createAddressGuard(addressPolicy(settings)).isLoopback(new URL(url))

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80))
