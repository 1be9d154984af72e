import type { CheckView } from '../../shared/check/check-state.ts'
import { fill } from '../../shared/fill.ts'
import { Button } from '../button.tsx'
import { Field } from '../field.tsx'

/** Asks for the hash of the block from another source: the donor's wallet, or an explorer. */
export const HashForm = ({ texts, state, chains }: CheckView) => {
  const { outcome } = state
  if (!outcome?.proof) return null
  const { block, chainId } = outcome.proof
  const chain = chains.find(({ id }) => id === chainId)
  const name = chain?.name ?? `eip155:${chainId}`
  const without = outcome.answers.filter(({ hash }) => hash === null)
  return (
    <form class="form check-hash" data-act="hash">
      {outcome.answers.length === 0 && <p>{texts.noWallet}</p>}
      {without.map(({ source, problem }) => (
        <div key={source}>
          {problem && <p>{fill(texts.problems[problem], { name: source, chain: name })}</p>}
          {problem === 'other_chain' && chain && (
            <Button type="button" kind="plain" name="act" value="switch">
              {fill(texts.switchTo, { name: source, chain: name })}
            </Button>
          )}
        </div>
      ))}
      <Field
        name="hash"
        label={fill(texts.hashLabel, { block: block.number })}
        hint={texts.hashHint}
        error={state.wrong === 'hash' ? texts.hashWrong : undefined}
        autocomplete="off"
        spellcheck={false}
      />
      {chain?.explorer && (
        <a
          href={`${chain.explorer.replace(/\/$/, '')}/block/${block.number}`}
          target="_blank"
          rel="noreferrer"
        >
          {texts.explorer}
        </a>
      )}
      <Button kind="plain">{texts.checkHash}</Button>
    </form>
  )
}
