import type { Provider } from './provider.ts'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** The selected account in a list of a wallet; null if the list is empty or wrong. */
export const firstAccount = (accounts: unknown): string | null => {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && ADDRESS.test(first) ? first : null
}

/** Listens to an event of a wallet. Returns the function that stops. */
export const listen = (
  provider: Provider,
  event: 'accountsChanged' | 'chainChanged',
  listener: (value: unknown) => void,
): (() => void) => {
  provider.on?.(event, listener)
  return () => void provider.removeListener?.(event, listener)
}
