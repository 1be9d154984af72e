import { type CheckView, chainName } from '../../shared/check/check-state.ts'
import { explorerLink } from '../../shared/explorer-link.ts'
import { fill } from '../../shared/fill.ts'
import { Button } from '../button.tsx'
import { Field } from '../field.tsx'

/** Asks for the hash of the block from another source: the donor's wallet, or an explorer. */
export const HashForm = (props: CheckView) => {
  const { texts, state, chains } = props
  const { outcome } = state
  if (!outcome?.proof) return null
  const { block, chainId } = outcome.proof
  const chain = chains.find(({ id }) => id === chainId)
  const name = chainName(props, chainId)
  const explorer = explorerLink(chain, 'block', block.number)
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
      {explorer && (
        <a href={explorer} target="_blank" rel="noreferrer">
          {texts.explorer}
        </a>
      )}
      <Button kind="plain">{texts.checkHash}</Button>
    </form>
  )
}
