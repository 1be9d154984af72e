import { Interface, Wallet as KeyWallet, type TypedDataField } from 'ethers'
import type { ApiClient, Session } from './client.ts'

/** Data for `eth_signTypedData_v4` (EIP-712), as the API returns it. */
export type TypedData = {
  domain: Record<string, unknown>
  types: Record<string, TypedDataField[]>
  message: Record<string, unknown>
}

/** A person's wallet, whose key only the person has. */
export type Wallet = ReturnType<typeof createWallet>

export const createWallet = () => {
  const key = KeyWallet.createRandom()
  return {
    address: key.address,
    signMessage: (text: string) => key.signMessage(text),
    signTypedData: ({ domain, types: { EIP712Domain: _, ...types }, message }: TypedData) =>
      key.signTypedData(domain, types, message),
  }
}

/** Links a wallet to a user by a signed message. */
export const linkWallet = async (
  api: ApiClient,
  { token }: Session,
  wallet: Wallet,
): Promise<void> => {
  const body = { address: wallet.address }
  const answer = await api.call('POST', '/api/auth/wallets/challenge', body, token)
  const { nonce, message } = answer.challenge as { nonce: string; message: string }
  const signature = await wallet.signMessage(message)
  await api.call('POST', '/api/auth/wallets', { nonce, signature }, token)
}

/** Encodes a call of a function that is given by its signature, `name(type,type)`. */
export const encodeCall = (signature: string, values: readonly unknown[]): string => {
  const name = signature.slice(0, signature.indexOf('('))
  return new Interface([`function ${signature}`]).encodeFunctionData(name, values)
}
