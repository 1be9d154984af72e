import type { CheckOutcome, Verdict } from '../shared/check/check-proof.ts'
import { explorerLink, fill, formatMoney, shorten } from '../shared/format.ts'
import {
  type CheckProps,
  type CheckState,
  type CheckTexts,
  type CheckView,
  IDLE,
} from './check-state.ts'
import { amountText, chainName, nameOf, namesOf, titleTag, wordsOf } from './check-words.ts'
import { Button, Field, FileField, TextField } from './form.tsx'
import { Banner, type BannerTone, Icon } from './states.tsx'
import { Hash, KeyValues } from './values.tsx'

type Props = CheckProps & { state?: CheckState }

/** The check of a proof: the proof of the donation of this page, or a proof that a donor brings. */
export const ProofCheck = ({ state = IDLE, ...props }: Props) => {
  const view = { ...props, state }
  const isDone = state.phase === 'done'
  return (
    <div class="check">
      {props.donation ? <StartButton {...view} /> : <Desk {...view} />}
      <noscript>
        <p>{props.texts.noJavaScript}</p>
      </noscript>
      <div role="status">
        {sentenceOf(view)}
        {isDone && <CheckVerdict {...view} />}
      </div>
      {isDone && <CheckResult {...view} />}
    </div>
  )
}

const labelOf = ({ texts, state }: CheckView): string =>
  state.phase === 'done' ? texts.again : texts.start

const StartButton = (view: CheckView) => (
  <p class="check-start needs-script">
    <Button type="button" name="act" value="start">
      {labelOf(view)}
    </Button>
  </p>
)

/** The fields for a proof as a file or as text, and for a node of the donor. */
const Desk = (view: CheckView) => {
  const { desk } = view.texts
  return (
    <form class="form needs-script" data-act="paste">
      <FileField name="file" label={desk.file} hint={desk.fileHint} />
      <TextField name="proof" label={desk.paste} />
      <Field
        name="node"
        type="url"
        label={desk.node}
        hint={desk.nodeHint}
        error={view.state.wrong === 'node' ? desk.nodeWrong : undefined}
        autocomplete="off"
      />
      <Button>{labelOf(view)}</Button>
    </form>
  )
}

/** The sentence about a check that has no result yet. */
const sentenceOf = ({ texts, state }: CheckView) => {
  const values = { names: state.names, block: state.outcome?.proof?.block.number ?? '' }
  const sentences: Record<CheckState['phase'], string> = {
    idle: '',
    reading: texts.reading,
    asking: fill(texts.asking, values),
    not_ready: texts.notReady,
    no_answer: texts.noAnswer,
    not_json: texts.desk.notJson,
    done: '',
  }
  const sentence = sentences[state.phase]
  return sentence && <p>{sentence}</p>
}

const TONES: Partial<Record<Verdict, BannerTone>> = {
  proven: 'good',
  needs_hash: 'info',
  unknown_key: 'warn',
  lower_level: 'warn',
  no_signatures: 'warn',
}

/** The verdicts after which a hash from another source helps. */
const NEEDS_HASH: readonly Verdict[] = ['needs_hash', 'other_block']

/** The verdict of a check in one sentence. Screen readers say it. */
const CheckVerdict = ({ texts, state: { outcome } }: CheckView) => {
  if (outcome === null) return null
  const { verdict, answers, proof } = outcome
  const other = answers.find(({ hash }) => hash !== null && hash !== proof?.block.hash)
  const values = {
    block: proof?.block.number ?? '',
    source: nameOf(other?.source ?? '', texts.you),
    hash: shorten(other?.hash ?? ''),
  }
  return <Banner tone={TONES[verdict] ?? 'bad'}>{fill(texts.verdicts[verdict], values)}</Banner>
}

/** All that a check has found: the steps, and whose word is left. */
const CheckResult = (props: CheckView) => {
  const { texts, state } = props
  const { outcome } = state
  if (outcome === null) return null
  const { verdict, proof } = outcome
  const values = {
    names: namesOf(outcome.answers, texts.you).join(', '),
    block: proof?.block.number ?? '',
    chain: proof ? chainName(props, proof.chainId) : '',
  }
  const words = wordsOf(outcome)
  const Title = titleTag(props)
  return (
    <div class="check-result">
      {NEEDS_HASH.includes(verdict) && <HashForm {...props} />}
      {verdict === 'lower_level' && (
        <Button type="button" kind="plain" name="act" value="accept">
          {texts.accept}
        </Button>
      )}
      <ProvenFacts {...props} />
      <Title>{texts.stepsTitle}</Title>
      <CheckSteps outcome={outcome} texts={texts} />
      {words.length > 0 && (
        <>
          <Title>{texts.wordsTitle}</Title>
          <ul class="check-words">
            {words.map((word) => (
              <li key={word}>{fill(texts.words[word], values)}</li>
            ))}
          </ul>
          <KeptFile {...props} />
        </>
      )}
    </div>
  )
}

const ICONS = { ok: 'check', failed: 'cross', unknown: 'warning' } as const

type CheckVerdictProps = { outcome: CheckOutcome; texts: CheckTexts }

/** The steps of a check with their results. The verifier's explanations are in English. */
const CheckSteps = ({ outcome: { checks, verdict, answers }, texts }: CheckVerdictProps) => {
  const hasHash = answers.some(({ hash }) => hash !== null)
  const words = { ok: texts.holds, failed: texts.fails, unknown: texts.unchecked }
  return (
    <ol class="steps">
      {checks.map(({ name, ok, why }) => {
        const isOpen =
          (name === 'chain' && !ok && !hasHash) ||
          (name === 'signature' && (verdict === 'unknown_key' || verdict === 'no_signatures'))
        const state = isOpen ? 'unknown' : ok ? 'ok' : 'failed'
        return (
          <li key={name} class={`step-${state}`}>
            <Icon name={ICONS[state]} />
            <div>
              <span class="step-title">{texts.steps[name as keyof CheckTexts['steps']]}</span>{' '}
              <span class="step-state">{words[state]}</span>
              <div class="step-detail" lang="en">
                {why}
              </div>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** The facts that the proof states, for the donor to compare with their own. */
const ProvenFacts = (props: CheckView) => {
  const { texts, state, assets, lang } = props
  const proof = state.outcome?.proof
  if (!proof) return null
  const { facts } = texts
  const Title = titleTag(props)
  const { donation, chainId, block } = proof
  const { account, sender, txHash } = donation
  const amount = amountText(donation.amount, donation.asset, assets)
  return (
    <>
      <Title>{facts.title}</Title>
      <KeyValues
        items={[
          { key: facts.amount, value: formatMoney(lang, amount) },
          { key: facts.chain, value: chainName(props, chainId) },
          { key: facts.account, value: <Hash value={account} full /> },
          { key: facts.sender, value: sender ? <Hash value={sender} full /> : facts.unknownSender },
          { key: facts.transaction, value: <Hash value={txHash} full /> },
          { key: facts.block, value: String(block.number), hint: block.hash },
          { key: facts.donation, value: donation.id },
        ]}
      />
    </>
  )
}

/** The keys that signed, and the field for a file that the donor kept. */
const KeptFile = ({ texts, state }: CheckView) => {
  const { outcome, keptFile, wrong } = state
  const [before, after] = texts.signedBy.split('{key}')
  return (
    <div class="check-key">
      {outcome?.keyIds.map((key) => (
        <p key={key}>
          {before}
          <Hash value={key} full />
          {after}
        </p>
      ))}
      <FileField
        name="kept"
        label={texts.compare}
        hint={keptFile ? fill(texts.comparedWith, { file: keptFile }) : texts.compareHint}
        error={wrong === 'kept' ? texts.unknownFile : undefined}
      />
    </div>
  )
}

/** Asks for the hash of the block from another source: the donor's wallet, or an explorer. */
const HashForm = (props: CheckView) => {
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
