import { explorerLink } from '../shared/format.ts'
import { NOT_SENT, type SendProps, type SendState } from '../shared/send-state.ts'
import { Button } from './form.tsx'
import { Banner } from './states.tsx'
import { Hash } from './values.tsx'

type Props = SendProps & {
  state?: SendState
  onSend?: () => void
  onChoose?: (walletId: string) => void
}

/** Sends a transaction by a wallet of this browser. The server renders its first state. */
export const SendPanel = ({ texts: t, chain, state = NOT_SENT, onSend, onChoose }: Props) => {
  const { step, wallets, problem, hash } = state
  return (
    <>
      <div role="status">
        {problem && <Banner tone="warn">{t.problems[problem]}</Banner>}
        {step === 'working' && <Banner tone="info">{t.working}</Banner>}
        {step === 'sent' && hash && (
          <Banner tone="info">
            <p>{t.sent}</p>
            <p>
              <Hash value={hash} href={explorerLink(chain, 'tx', hash)} />
            </p>
          </Banner>
        )}
      </div>
      {step === 'idle' && (
        <Button kind="plain" type="button" onClick={onSend}>
          {problem ? t.again : t.send}
        </Button>
      )}
      {step === 'choosing' && (
        <>
          <p>{t.choose}</p>
          <p class="section-links">
            {wallets.map(({ id, name, icon }) => (
              <Button key={id} kind="plain" type="button" onClick={() => onChoose?.(id)}>
                {icon && <img src={icon} alt="" width="20" height="20" />}
                {name || t.browserWallet}
              </Button>
            ))}
          </p>
        </>
      )}
    </>
  )
}
