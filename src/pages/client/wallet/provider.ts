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
