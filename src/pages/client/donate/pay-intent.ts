import { donateWithAuthorizationCall, transferCall } from '../../shared/encode-call.ts'
import type { Intent, PaymentMethod } from '../../shared/payment.ts'
import { toWalletError, type WalletError } from '../../shared/wallet-problem.ts'
import type { Provider } from '../wallet/provider.ts'
import { sendCalls, sendInOrder, signTypedData } from '../wallet/send.ts'
import { RefusedError } from './server.ts'

/**
 * Pays an intent. Returns the hash of the payment; null if the wallet sends several calls at once,
 * because its answer is not a hash. Calls `check` before each request to the wallet.
 *
 * @throws WalletError, RefusedError if an escrow records no more donors, and what `check` throws
 */
export const payIntent = async (
  provider: Provider,
  { wallet, account, token, units, methods }: Intent,
  check: () => Promise<void>,
): Promise<string | null> => {
  if (methods !== null) return payEscrow(provider, wallet, methods, check)
  const call = token
    ? { to: token, data: transferCall(account, units) }
    : { to: account, value: units }
  return sendInOrder(provider, wallet, [call], check)
}

type Method<Name extends PaymentMethod['method']> = Extract<PaymentMethod, { method: Name }>

const find = <Name extends PaymentMethod['method']>(
  methods: readonly PaymentMethod[],
  name: Name,
): Method<Name> | undefined => methods.find((one): one is Method<Name> => one.method === name)

/**
 * Calls the contract in the way with the fewest questions to the donor: all calls at once, else a
 * signature and one call, else one call after the other.
 */
const payEscrow = async (
  provider: Provider,
  wallet: string,
  methods: readonly PaymentMethod[],
  check: () => Promise<void>,
): Promise<string | null> => {
  const calls = find(methods, 'calls')
  if (!calls) throw new RefusedError('closed')
  await check()
  try {
    await sendCalls(provider, calls.sendCalls)
    return null
  } catch (error) {
    const refusal: WalletError = toWalletError(error)
    if (refusal.problem !== 'unsupported') throw refusal
  }
  const authorization = find(methods, 'authorization')
  if (!authorization) return sendInOrder(provider, wallet, calls.sendCalls.calls, check)
  const { typedData, relay } = authorization
  await check()
  const signature = await signTypedData(provider, wallet, typedData)
  const data = donateWithAuthorizationCall(relay.arguments, signature)
  return sendInOrder(provider, wallet, [...relay.calls, { to: relay.to, data }], check)
}
