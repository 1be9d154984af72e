import type { Call, Intent, PaymentMethod } from './payment.ts'

/** One request of a wallet that gives to an escrow. `gas` is an estimate; 0 for a signature. */
export type WalletStep = { to: string; gas: number } & (
  | { kind: 'permission'; typedData: SignedData }
  /** `data` is null if it needs the signature of the step before, and then has `args`. */
  | { kind: 'deploy' | 'approve' | 'give'; data: string | null; args: readonly string[] }
  | { kind: 'batch'; bundle: { calls: readonly Call[] }; parts: readonly WalletStep[] }
)

type SignedData = Extract<PaymentMethod, { method: 'authorization' }>['typedData']

/** Measured with the factory and the token of the development chain, and rounded up. */
const GAS = { approve: 55_000, give: 110_000, signedGive: 160_000, deploy: 120_000 }
/** The contract stores its terms in its code. */
const GAS_OF_BYTE = 240

/**
 * The requests of a wallet for an intent, made from the calls that it will be asked for: one for a
 * wallet that sends all calls at once, else a signature and its calls, else one for each call.
 */
export const stepsOf = (
  { token, account, methods }: Pick<Intent, 'token' | 'account' | 'methods'>,
  hasBatch: boolean,
): WalletStep[] => {
  const toStep = ({ to, data }: Call): WalletStep => {
    const kind = to === token ? 'approve' : to === account ? 'give' : 'deploy'
    const bytes = kind === 'deploy' ? data.length / 2 : 0
    return { kind, to, data, args: [], gas: GAS[kind] + Math.ceil(bytes) * GAS_OF_BYTE }
  }
  const calls = methods?.find((one) => one.method === 'calls')?.sendCalls
  const signed = methods?.find((one) => one.method === 'authorization')
  if (!calls) return []
  if (hasBatch) {
    const parts = calls.calls.map(toStep)
    return [{ kind: 'batch', to: account, bundle: calls, parts, gas: gasOf(parts) }]
  }
  if (!signed) return calls.calls.map(toStep)
  const { typedData, relay } = signed
  return [
    { kind: 'permission', to: typedData.message.to, typedData, gas: 0 },
    ...relay.calls.map(toStep),
    { kind: 'give', to: relay.to, data: null, args: relay.arguments, gas: GAS.signedGive },
  ]
}

/** The gas of all steps. */
export const gasOf = (steps: readonly WalletStep[]): number =>
  steps.reduce((sum, { gas }) => sum + gas, 0)
