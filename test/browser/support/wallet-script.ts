/** The answer to a wallet request, in the form that crosses from the test into the page. */
export type WalletAnswer = { result: unknown } | { error: { code: number; message: string } }

/** How a wallet presents itself by EIP-6963. */
export type WalletInfo = { uuid: string; name: string; icon: string; rdns: string }

type Listener = (value: unknown) => void

/** The parts of the page's global object that the injected script uses. */
type WalletPage = EventTarget & {
  ethereum?: unknown
  /** Sends a wallet request to the test, which answers. */
  askTestWallet(method: string, params: unknown): Promise<WalletAnswer>
  /** The test calls this function to emit an event. */
  emitFromTestWallet: (event: string, value: unknown) => void
}

/**
 * Adds an EIP-1193 provider to the page, before the page's own scripts run. The provider announces
 * itself by EIP-6963, or is only `window.ethereum`, as old wallets are. The test answers all
 * requests.
 */
export const injectWallet = ({ info, isLegacy }: { info: WalletInfo; isLegacy: boolean }) => {
  const page = globalThis as unknown as WalletPage
  const listeners = new Map<string, Set<Listener>>()
  const listenersOf = (event: string): Set<Listener> => {
    const known = listeners.get(event) ?? new Set()
    listeners.set(event, known)
    return known
  }
  const provider = {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      const answer = await page.askTestWallet(method, params ?? [])
      if ('result' in answer) return answer.result
      const { code, message } = answer.error
      throw Object.assign(new Error(message), { code })
    },
    on: (event: string, listener: Listener) => void listenersOf(event).add(listener),
    removeListener: (event: string, listener: Listener) => void listenersOf(event).delete(listener),
  }
  page.emitFromTestWallet = (event, value) => {
    for (const listener of listenersOf(event)) listener(value)
  }
  if (isLegacy) {
    page.ethereum = provider
    return
  }
  const detail = Object.freeze({ info, provider })
  const announce = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}
