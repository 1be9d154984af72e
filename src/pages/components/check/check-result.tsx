import { type CheckView, chainName, titleTag } from '../../shared/check/check-state.ts'
import type { Verdict } from '../../shared/check/verdict.ts'
import { nameOf, namesOf, wordsOf } from '../../shared/check/words.ts'
import { fill } from '../../shared/fill.ts'
import { shorten } from '../../shared/format.ts'
import { Banner, type BannerTone } from '../banner.tsx'
import { Button } from '../button.tsx'
import { CheckSteps } from './check-steps.tsx'
import { HashForm } from './hash-form.tsx'
import { KeptFile } from './kept-file-field.tsx'
import { ProvenFacts } from './proven-facts.tsx'

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
export const CheckVerdict = ({ texts, state: { outcome } }: CheckView) => {
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
export const CheckResult = (props: CheckView) => {
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
