import { useEffect, useState } from 'preact/hooks'
import { type SignProps, signProblemText } from '../../shared/sign-props.ts'
import { toWalletError } from '../../shared/wallet-problem.ts'
import { connect } from '../wallet/account.ts'
import { chainIdOf } from '../wallet/chain.ts'
import { signMessage } from '../wallet/send.ts'
import { type Wallet, watchWallets } from '../wallet/wallets.ts'
import { askForMessage, sendForm } from './forms.ts'

/** After this time the person may not have seen the wallet's window. */
const SLOW_AFTER_MS = 8_000

/** A list of the browser's wallets. Each signs a message, which a form then sends to the server. */
export const Sign = ({ challenge, action, to, texts }: SignProps) => {
  const [wallets, setWallets] = useState<readonly Wallet[]>()
  const [isWaiting, setWaiting] = useState(false)
  const [status, setStatus] = useState('')

  useEffect(() => watchWallets(window, setWallets), [])
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setStatus(`${texts.confirm} ${texts.slow}`), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isWaiting, texts])

  const sign = async ({ provider }: Wallet): Promise<void> => {
    setStatus(texts.confirm)
    setWaiting(true)
    try {
      const address = await connect(provider)
      const chainId = await chainIdOf(provider)
      const asked = await askForMessage(challenge, { address, chainId: String(chainId) })
      if (!asked) return setStatus(texts.unreachable)
      const signature = await signMessage(provider, address, asked.message)
      setStatus(texts.sending)
      sendForm(action, { nonce: asked.nonce, signature, to })
    } catch (error) {
      setStatus(signProblemText(texts, toWalletError(error).problem))
    } finally {
      setWaiting(false)
    }
  }

  return (
    <>
      {wallets === undefined && <p class="sign-waiting soft">{texts.looking}</p>}
      {wallets?.length === 0 && <p>{texts.none}</p>}
      {wallets?.map((wallet) => (
        <button
          key={wallet.id}
          type="button"
          class="button button-plain"
          disabled={isWaiting}
          onClick={() => void sign(wallet)}
        >
          {wallet.icon && <img class="wallet-icon" src={wallet.icon} alt="" />}
          {texts.button.replace('{wallet}', () => wallet.name || texts.unnamed)}
        </button>
      ))}
      <p role="status">{status}</p>
    </>
  )
}
