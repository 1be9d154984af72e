import { amountText } from '../../shared/check/amount.ts'
import {
  type CheckProps,
  type CheckState,
  type CheckView,
  IDLE,
} from '../../shared/check/check-state.ts'
import { formatAmount } from '../../shared/format.ts'
import { Button } from '../button.tsx'
import { Field, TextField } from '../field.tsx'
import { Hash } from '../hash.tsx'
import { type KeyValue, KeyValues } from '../key-values.tsx'
import { CheckResult, CheckVerdict } from './check-result.tsx'
import { isBusy, sentenceOf } from './donation-check.tsx'
import { FileField } from './file-field.tsx'

/** The check of a proof that the donor brings as a file or as text. */
export const CheckDesk = ({ state = IDLE, ...props }: CheckProps & { state?: CheckState }) => {
  const { texts } = props
  const { desk } = texts
  const view = { ...props, state }
  return (
    <div class="check">
      <form class="form needs-script" data-act="paste">
        <FileField name="file" label={desk.file} hint={desk.fileHint} />
        <TextField name="proof" label={desk.paste} rows={3} />
        <Field
          name="node"
          type="url"
          label={desk.node}
          hint={desk.nodeHint}
          error={state.wrong === 'node' ? desk.nodeWrong : undefined}
          autocomplete="off"
        />
        <Button disabled={isBusy(state)}>
          {state.phase === 'done' ? texts.again : texts.start}
        </Button>
      </form>
      <noscript>
        <p>{texts.noJavaScript}</p>
      </noscript>
      <div role="status">
        {sentenceOf(view)}
        {state.phase === 'done' && <CheckVerdict {...view} />}
      </div>
      {state.phase === 'done' && (
        <>
          <Facts {...view} />
          <CheckResult {...view} />
        </>
      )}
    </div>
  )
}

/** The facts that the proof states, because a proof may be of any donation. */
const Facts = ({ texts, state, assets, chains, lang }: CheckView) => {
  const proof = state.outcome?.proof
  if (!proof) return null
  const { facts } = texts
  const { donation, chainId, block } = proof
  const { value, currency } = amountText(donation.amount, donation.asset, assets)
  const items: KeyValue[] = [
    { key: facts.amount, value: `${formatAmount(lang, value)} ${currency}` },
    {
      key: facts.chain,
      value: chains.find(({ id }) => id === chainId)?.name ?? `eip155:${chainId}`,
    },
    { key: facts.account, value: <Hash value={donation.account} full /> },
    {
      key: facts.sender,
      value: donation.sender ? <Hash value={donation.sender} full /> : facts.unknownSender,
    },
    { key: facts.transaction, value: <Hash value={donation.txHash} full /> },
    { key: facts.block, value: String(block.number), hint: block.hash },
    { key: facts.donation, value: donation.id },
  ]
  return (
    <>
      <h3>{facts.title}</h3>
      <KeyValues items={items} />
    </>
  )
}
