import type { SignProps, SignTexts } from '../../components/sign-props.ts'
import { toWalletError, type WalletError } from '../../shared/wallet-problem.ts'
import { chainIdOf, connect } from '../wallet/account.ts'
import { signMessage } from '../wallet/send.ts'
import { type Wallet, watchWallets } from '../wallet/wallets.ts'

/** After this time the person may not have seen the wallet's window. */
const SLOW_AFTER_MS = 8_000

/**
 * Shows a button for each wallet of the browser. A wallet signs a message, and a form sends the
 * signature. Does without Preact, which would be most of the script.
 */
const startSign = (place: HTMLElement, { challenge, action, to, texts }: SignProps): void => {
  const list = document.createElement('div')
  const status = document.createElement('p')
  status.role = 'status'
  let isWaiting = false

  const setWaiting = (is: boolean): void => {
    isWaiting = is
    for (const button of list.querySelectorAll('button')) button.disabled = is
  }

  /** Returns the sentence to show at the end. */
  const sign = async ({ provider }: Wallet): Promise<string> => {
    try {
      const address = await connect(provider)
      const chainId = await chainIdOf(provider)
      const asked = await askForMessage(challenge, { address, chainId: String(chainId) })
      if (!asked) return texts.unreachable
      const signature = await signMessage(provider, address, asked.message)
      sendForm(action, { nonce: asked.nonce, signature, to })
      return texts.sending
    } catch (error) {
      return problemText(texts, toWalletError(error))
    }
  }

  const start = async (wallet: Wallet): Promise<void> => {
    setWaiting(true)
    status.textContent = texts.confirm
    const timer = setTimeout(() => {
      status.textContent = `${texts.confirm} ${texts.slow}`
    }, SLOW_AFTER_MS)
    const sentence = await sign(wallet)
    clearTimeout(timer)
    status.textContent = sentence
    setWaiting(false)
  }

  const buttonOf = (wallet: Wallet): HTMLElement => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button button-plain'
    button.disabled = isWaiting
    if (wallet.icon !== null) button.append(iconOf(wallet.icon))
    button.append(texts.button.replace('{wallet}', () => wallet.name || texts.unnamed))
    button.addEventListener('click', () => void start(wallet))
    return button
  }

  watchWallets(window, (wallets) => {
    list.replaceChildren(...(wallets.length === 0 ? [texts.none] : wallets.map(buttonOf)))
    if (!list.isConnected) place.replaceChildren(list, status)
  })
}

const problemText = (texts: SignTexts, { problem }: WalletError): string =>
  problem === 'rejected' || problem === 'busy' || problem === 'locked'
    ? texts[problem]
    : texts.failed

const iconOf = (src: string): HTMLElement => {
  const icon = document.createElement('img')
  icon.className = 'wallet-icon'
  icon.src = src
  icon.alt = ''
  return icon
}

type Fields = Readonly<Record<string, string>>

/** Asks the server for the message that the wallet signs; undefined if it refuses. */
const askForMessage = async (
  path: string,
  fields: Fields,
): Promise<{ nonce: string; message: string } | undefined> => {
  try {
    const answer = await fetch(path, { method: 'POST', body: new URLSearchParams(fields) })
    // A sign-in that has ended leads to another page, which is no message.
    if (!answer.ok || answer.redirected) return undefined
    return (await answer.json()) as { nonce: string; message: string }
  } catch {
    return undefined
  }
}

/** Sends a form as a person would, so that the browser shows the page of the answer. */
const sendForm = (path: string, fields: Fields): void => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = path
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}

/** Starts the islands that sign a message with a wallet. */
for (const place of document.querySelectorAll<HTMLElement>('[data-island="sign"]')) {
  startSign(place, JSON.parse(place.dataset.props ?? '') as SignProps)
}
