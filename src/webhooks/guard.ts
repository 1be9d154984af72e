import { isIP } from 'node:net'
import { createAddressClassifier } from './addresses.ts'

/** The rules for the addresses that webhooks may call. */
export type AddressPolicy = {
  /** Whether URLs must begin with https. True outside the sandbox. */
  readonly requireHttps: boolean
  /** Whether 127.0.0.0/8 and ::1 may be called, for receivers on a developer's machine. */
  readonly allowLoopback: boolean
}

/** Thrown for an address that webhooks must not call. The endpoint's owner sees the message. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError'
}

export type AddressGuard = {
  /**
   * Checks a URL's scheme, credentials, port and host. Does not resolve the host's name, because
   * the addresses of a name can change. The connector in connect.ts checks the addresses later.
   *
   * @throws RefusedAddressError if webhooks must not call the URL
   */
  checkUrl(text: string): URL
  /** Throws RefusedAddressError if webhooks must not connect to this IP address. */
  checkAddress(address: string): void
  /** Whether a URL names this machine: `localhost`, its subdomains, or a loopback address. */
  isLoopback(url: URL): boolean
}

export const MAX_URL_LENGTH = 2_048

/**
 * The allowed ports below 1024; '' is the default port of the scheme. The other ports below 1024
 * belong to protocols other than HTTP, and an endpoint could use them to attack other servers.
 */
const WEB_PORTS = new Set(['', '80', '443'])

/** The last parts of host names that are never on the public internet. */
const LOCAL_SUFFIXES = [
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'onion',
  'test',
  'invalid',
]

/** A host name of the internet. Its last label is a top-level domain, which has no digits. */
const PUBLIC_NAME = /^([a-z0-9_-]+\.)+([a-z]+|xn--[a-z0-9-]+)$/

/** Creates a guard that allows the internet and, if `policy` allows it, this machine. */
export const createAddressGuard = (policy: AddressPolicy): AddressGuard => {
  const kindOf = createAddressClassifier()

  const checkAddress = (address: string): void => {
    const kind = kindOf(address)
    if (kind === 'refused' || (kind === 'loopback' && !policy.allowLoopback)) {
      throw new RefusedAddressError('The address is not on the public internet.')
    }
  }

  const checkName = (name: string): void => {
    const last = name.slice(name.lastIndexOf('.') + 1)
    if (last === 'localhost') {
      if (policy.allowLoopback) return
    } else if (PUBLIC_NAME.test(name) && !LOCAL_SUFFIXES.includes(last)) return
    throw new RefusedAddressError('The host is not a name of the public internet.')
  }

  return {
    checkAddress,
    isLoopback(url) {
      const host = hostOf(url)
      return isIP(host) === 0 ? /(^|\.)localhost$/.test(host) : kindOf(host) === 'loopback'
    },
    checkUrl(text) {
      const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined
      if (!url) throw new RefusedAddressError('The URL is not valid.')
      if (url.protocol !== 'https:' && (url.protocol !== 'http:' || policy.requireHttps)) {
        throw new RefusedAddressError(
          policy.requireHttps ? 'The URL must use https.' : 'The URL must use https or http.',
        )
      }
      if (url.username !== '' || url.password !== '') {
        throw new RefusedAddressError('The URL must not hold credentials.')
      }
      if (!WEB_PORTS.has(url.port) && Number(url.port) < 1_024) {
        throw new RefusedAddressError('The port belongs to another protocol.')
      }
      const host = hostOf(url)
      if (isIP(host) === 0) checkName(host)
      else checkAddress(host)
      return url
    },
  }
}

/** The host of a URL: an IPv6 address without brackets, or a name without a trailing dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
