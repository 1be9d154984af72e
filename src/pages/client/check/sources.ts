import type { BlockSource } from '../../shared/check/block-source.ts'
import { type Wallet, watchWallets } from '../wallet/wallets.ts'

const TIMEOUT_MS = 20_000
/** Wallets announce themselves within this time. */
const WALLETS_WITHIN_MS = 400

/** Finds the wallets of this browser. */
export const findWallets = (): Promise<readonly Wallet[]> =>
  new Promise((resolve) => {
    let found: readonly Wallet[] = []
    const stop = watchWallets(window, (wallets) => {
      found = wallets
    })
    setTimeout(() => {
      stop()
      resolve(found)
    }, WALLETS_WITHIN_MS)
  })

/** A wallet as a source of block hashes. */
export const walletSource = ({ name, provider }: Wallet, unnamed: string): BlockSource => ({
  name: name || unnamed,
  request: (call) => provider.request(call),
})

/** A node as a source of block hashes, by JSON-RPC over HTTP. */
export const nodeSource = (url: URL): BlockSource => ({
  name: url.host,
  async request({ method, params = [] }) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      credentials: 'omit',
    })
    const reply = (await response.json()) as { result?: unknown }
    return reply.result
  },
})

/** The address of a node that the page may ask; null for another text. */
export const nodeUrl = (text: string, mayAskLocal: boolean): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isLocal = url?.protocol === 'http:' && LOCAL.includes(url.hostname)
  return url?.protocol === 'https:' || (mayAskLocal && isLocal) ? url : null
}

/** The names of this computer that browsers trust without https. */
const LOCAL = ['localhost', '127.0.0.1']
