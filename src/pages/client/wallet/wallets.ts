import type { Provider } from './provider.ts'

/** A wallet in this browser. Its name and icon are foreign input. */
export type Wallet = {
  id: string
  /** Empty for a wallet that does not announce itself. */
  name: string
  /** A data URL of an image, only for the `src` of an image. */
  icon: string | null
  provider: Provider
}

const MAX_WALLETS = 12
const MAX_NAME = 40
const MAX_ICON = 100_000
/** An old wallet does not announce itself, so `window.ethereum` is used after this time. */
const FALLBACK_AFTER_MS = 300

type Announcement = {
  info: { uuid: string; name: string; icon: string }
  provider: Provider
}

/** The window of a browser, which may have an old wallet as `ethereum`. */
export type WalletWindow = EventTarget & { ethereum?: unknown }

/**
 * Finds the wallets of this browser by EIP-6963. Calls `onChange` with each longer list, and after
 * 300 ms with the last list or, if no wallet has announced itself, with `window.ethereum`.
 * Returns the function that stops.
 */
export const watchWallets = (
  window: WalletWindow,
  onChange: (wallets: readonly Wallet[]) => void,
): (() => void) => {
  let wallets: readonly Wallet[] = []
  const onAnnounce = (event: Event): void => {
    const found = readAnnouncement((event as CustomEvent<unknown>).detail)
    if (!found || wallets.length >= MAX_WALLETS) return
    if (wallets.some(({ id }) => id === found.id)) return
    wallets = [...wallets, found]
    onChange(wallets)
  }
  window.addEventListener('eip6963:announceProvider', onAnnounce)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const timer = setTimeout(() => {
    const old = window.ethereum
    onChange(wallets.length === 0 && isProvider(old) ? [unnamed(old)] : wallets)
  }, FALLBACK_AFTER_MS)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('eip6963:announceProvider', onAnnounce)
  }
}

const unnamed = (provider: Provider): Wallet => ({
  id: 'window.ethereum',
  name: '',
  icon: null,
  provider,
})

const readAnnouncement = (detail: unknown): Wallet | undefined => {
  if (!isAnnouncement(detail)) return undefined
  const { info, provider } = detail
  const isImage = info.icon.startsWith('data:image/') && info.icon.length <= MAX_ICON
  return {
    id: info.uuid,
    name: info.name.slice(0, MAX_NAME),
    icon: isImage ? info.icon : null,
    provider,
  }
}

const isAnnouncement = (detail: unknown): detail is Announcement => {
  if (typeof detail !== 'object' || detail === null) return false
  const { info, provider } = detail as { info?: unknown; provider?: unknown }
  if (typeof info !== 'object' || info === null || !isProvider(provider)) return false
  const { uuid, name, icon } = info as Record<string, unknown>
  return [uuid, name, icon].every((text) => typeof text === 'string') && uuid !== ''
}

const isProvider = (value: unknown): value is Provider =>
  typeof (value as { request?: unknown } | null | undefined)?.request === 'function'
