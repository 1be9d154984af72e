import { randomUUID } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { messageOf } from '../../../src/kernel/errors.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { Stack } from './stack.ts'
import { injectWallet, type WalletAnswer } from './wallet-script.ts'

export type WalletOptions = {
  /** The index of an account of the development chain. Default 1. Account 9 has no tokens. */
  account?: number
  /** The chain that the wallet is on at first. Default: the development chain. */
  chainId?: number
  /** Whether the wallet knows the development chain. Default true. */
  knowsChain?: boolean
  /** The wallet's name in the page. Default `Test Wallet`. */
  name?: string
  /** Whether the wallet is only `window.ethereum`, without EIP-6963. Default false. */
  isLegacy?: boolean
  /** Whether the wallet sends several calls at once, by EIP-5792. Default false. */
  hasCalls?: boolean
}

export type WalletRequest = { method: string; params: unknown[] }

/** A wallet with keys of the development chain. The test acts as the person who uses the wallet. */
export type TestWallet = ReturnType<typeof createTestWallet>

const DEV_CHAIN = 31_337
/**
 * More gas than any call to an escrow needs. A fixed limit avoids an estimate, which would fail
 * until the previous call is mined.
 */
const GAS = '0x100000'
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z" fill="#456"/></svg>')}`

/** Requests that a wallet shows to the person, who may refuse. */
const ASKS_PERSON = [
  'eth_requestAccounts',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'eth_sendTransaction',
  'personal_sign',
  'eth_signTypedData_v4',
  'wallet_sendCalls',
]

class WalletError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const hex = (value: number): string => `0x${value.toString(16)}`

/** Makes a wallet. `openPage({ wallet })` puts the wallet into a page. */
export const createTestWallet = (stack: Stack, options: WalletOptions = {}) => {
  const contexts: BrowserContext[] = []
  const batches = new Map<string, string[]>()
  const chains = new Set([1, ...(options.knowsChain === false ? [] : [DEV_CHAIN])])
  let account = stack.chain.addressOf(options.account ?? 1)
  let chainId = options.chainId ?? DEV_CHAIN
  let isConnected = false
  let released = Promise.resolve()

  const emit = async (event: string, value: unknown): Promise<void> => {
    const script = `emitFromTestWallet(${JSON.stringify(event)}, ${JSON.stringify(value)})`
    const pages = contexts.flatMap((context) => context.pages())
    // The call fails in a page that is still loading. That page has no listeners yet, and reads the
    // state itself.
    await Promise.all(pages.map((page) => page.evaluate(script).catch(() => undefined)))
  }
  const moveTo = async (id: number): Promise<void> => {
    chainId = id
    await emit('chainChanged', hex(id))
  }
  const send = async (transaction: object): Promise<string> => {
    if (chainId !== DEV_CHAIN) throw new WalletError(-32_603, 'insufficient funds for gas')
    return stack.rpc<string>('eth_sendTransaction', [{ gas: GAS, ...transaction }])
  }

  const wallet = {
    /** All requests of the page, oldest first. */
    requests: [] as WalletRequest[],
    /** How many of the next questions the person refuses (code 4001). */
    refusals: 0,
    /**
     * Whether an older question is open in the wallet. Each new question then fails (code -32002).
     */
    isBusy: false,
    address: () => account,
    /** Returns all requests with this method. */
    asked: (method: string) => wallet.requests.filter((one) => one.method === method),
    /** Waits until the page has sent a request with this method. */
    waitForRequest: (method: string) =>
      waitFor(
        `a request ${method}`,
        () => wallet.asked(method).at(-1),
        (request) => request !== undefined,
      ),
    /**
     * Leaves all questions unanswered, as when the person is away, until the returned function is
     * called.
     */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      return resolve
    },
    /** Chooses another account in the wallet. */
    async useAccount(index: number): Promise<void> {
      account = stack.chain.addressOf(index)
      if (isConnected) await emit('accountsChanged', [account])
    },
    /** Chooses another chain in the wallet. */
    useChain: moveTo,
    /** Disconnects the page in the wallet. */
    async disconnect(): Promise<void> {
      isConnected = false
      await emit('accountsChanged', [])
    },
    /** Adds the wallet to all pages that the context opens from now on. */
    async addTo(context: BrowserContext): Promise<void> {
      contexts.push(context)
      await context.exposeBinding('askTestWallet', (_, method: string, params: unknown[]) =>
        answer(method, params),
      )
      const info = {
        uuid: randomUUID(),
        name: options.name ?? 'Test Wallet',
        icon: ICON,
        rdns: 'org.example.wallet',
      }
      await context.addInitScript(injectWallet, { info, isLegacy: options.isLegacy ?? false })
    },
  }

  const answer = async (method: string, params: unknown[]): Promise<WalletAnswer> => {
    wallet.requests.push({ method, params })
    try {
      if (ASKS_PERSON.includes(method)) await askPerson()
      return { result: (await perform(method, params)) ?? null }
    } catch (error) {
      const code = error instanceof WalletError ? error.code : -32_603
      return { error: { code, message: messageOf(error) } }
    }
  }
  const askPerson = async (): Promise<void> => {
    if (wallet.isBusy) throw new WalletError(-32_002, 'Request already pending.')
    await released
    if (wallet.refusals === 0) return
    wallet.refusals -= 1
    throw new WalletError(4_001, 'User rejected the request.')
  }
  const perform = async (method: string, params: unknown[]): Promise<unknown> => {
    const [first] = params
    switch (method) {
      case 'eth_chainId':
        return hex(chainId)
      case 'eth_accounts':
        return isConnected ? [account] : []
      case 'eth_requestAccounts':
        isConnected = true
        return [account]
      case 'wallet_switchEthereumChain': {
        const wanted = Number((first as { chainId: string }).chainId)
        if (!chains.has(wanted)) throw new WalletError(4_902, 'Unrecognized chain ID.')
        return moveTo(wanted)
      }
      case 'wallet_addEthereumChain': {
        const added = Number((first as { chainId: string }).chainId)
        chains.add(added)
        return moveTo(added)
      }
      case 'wallet_getCapabilities':
        if (options.hasCalls) return { [hex(DEV_CHAIN)]: { atomic: { status: 'supported' } } }
        throw new WalletError(4_200, 'Unsupported method.')
      case 'wallet_sendCalls': {
        if (!options.hasCalls) throw new WalletError(4_200, 'Unsupported method.')
        const { from, calls } = first as { from: string; calls: object[] }
        const hashes: string[] = []
        for (const call of calls) hashes.push(await send({ from, ...call }))
        const id = randomUUID()
        batches.set(id, hashes)
        return { id }
      }
      case 'wallet_getCallsStatus': {
        const hashes = batches.get(String(first)) ?? []
        const receipts = await Promise.all(
          hashes.map((hash) => stack.rpc<object | null>('eth_getTransactionReceipt', [hash])),
        )
        const isDone = receipts.every((receipt) => receipt !== null)
        return { version: '2.0.0', id: first, status: isDone ? 200 : 100, receipts }
      }
      case 'eth_sendTransaction':
      case 'personal_sign':
      case 'eth_signTypedData_v4':
        if (!isConnected) throw new WalletError(4_100, 'The page is not connected.')
        if (method === 'eth_sendTransaction') return send(first as object)
        return stack.rpc(method, params)
      default:
        // On another chain the account has no balance, and our blocks do not exist there.
        if (chainId === DEV_CHAIN) return stack.rpc(method, params)
        return method === 'eth_getBalance' ? '0x0' : null
    }
  }
  return wallet
}
