/** The reasons why a wallet did not do what a page asked. */
export const WALLET_PROBLEMS = [
  'rejected',
  'busy',
  'locked',
  'offline',
  'unknown-chain',
  'no-fee-funds',
  'unsupported',
  'failed',
] as const
export type WalletProblem = (typeof WALLET_PROBLEMS)[number]

/** Error codes of EIP-1193, EIP-1474, EIP-3326 and EIP-5792. */
const PROBLEM_OF: Readonly<Record<number, WalletProblem>> = {
  4001: 'rejected',
  4100: 'locked',
  4200: 'unsupported',
  4900: 'offline',
  4901: 'offline',
  4902: 'unknown-chain',
  5700: 'unsupported',
  5710: 'unsupported',
  5740: 'unsupported',
  5750: 'unsupported',
  5760: 'unsupported',
  [-32002]: 'busy',
  [-32004]: 'unsupported',
  [-32601]: 'unsupported',
}

const NO_FUNDS = /insufficient funds/i
/** Some wallets wrap the error of another layer, which has the right code. */
const MAX_DEPTH = 4
const MAX_MESSAGE = 200

/** A wallet's refusal. `message` is the wallet's own text, which is foreign input. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly problem: WalletProblem

  constructor(problem: WalletProblem, message = '') {
    super(message.slice(0, MAX_MESSAGE))
    this.problem = problem
  }
}

/** Converts a value that a wallet threw. Wallets throw errors, plain objects and texts. */
export const toWalletError = (thrown: unknown): WalletError => {
  if (thrown instanceof WalletError) return thrown
  const layers = layersOf(thrown)
  const message = layers.map((layer) => layer.message).find((text) => typeof text === 'string')
  const known = layers.map(({ code }) => PROBLEM_OF[Number(code)]).find((problem) => problem)
  const problem =
    known ??
    (layers.some((layer) => NO_FUNDS.test(String(layer.message))) ? 'no-fee-funds' : 'failed')
  return new WalletError(problem, message ?? (typeof thrown === 'string' ? thrown : ''))
}

type Layer = { code?: unknown; message?: unknown; data?: unknown; cause?: unknown }

/** The error and the errors inside it, the outermost first. */
const layersOf = (thrown: unknown): Layer[] => {
  const layers: Layer[] = []
  let waiting: unknown[] = [thrown]
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const found = waiting.filter(isLayer)
    layers.push(...found)
    waiting = found.flatMap(({ data, cause }) => [
      data,
      isLayer(data) && 'originalError' in data ? data.originalError : undefined,
      cause,
    ])
  }
  return layers
}

const isLayer = (value: unknown): value is Layer => typeof value === 'object' && value !== null
