import { toWalletError, WalletError } from '../../shared/wallet-problem.ts'

/** The part of a wallet's EIP-1193 interface that the pages use. */
export type Provider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** Asks a wallet. @throws WalletError */
export const ask = async (
  provider: Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> => {
  try {
    return await provider.request({ method, params })
  } catch (error) {
    throw toWalletError(error)
  }
}

const HEX = /^0x[0-9a-fA-F]*$/

/** Asks for a value in hex. @throws WalletError `failed` for any other answer */
export const askHex = async (
  provider: Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<string> => {
  const answer = await ask(provider, method, params)
  if (typeof answer === 'string' && HEX.test(answer)) return answer
  throw new WalletError('failed', `${method} returned no hex value.`)
}

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
