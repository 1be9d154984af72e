import {
  blockOf,
  type CheckProps,
  type CheckState,
  type CheckView,
  IDLE,
} from '../../shared/check/check-state.ts'
import { fill } from '../../shared/fill.ts'
import { Button } from '../button.tsx'
import { CheckResult, CheckVerdict } from './check-result.tsx'

/** The check of the proof of one donation, whose page it stands on. */
export const DonationCheck = ({ state = IDLE, ...props }: CheckProps & { state?: CheckState }) => {
  const { texts } = props
  const view = { ...props, state }
  return (
    <div class="check">
      <p class="check-start needs-script">
        <Button type="button" name="act" value="start">
          {state.phase === 'done' ? texts.again : texts.start}
        </Button>
      </p>
      <noscript>
        <p>{texts.noJavaScript}</p>
      </noscript>
      <div role="status">
        {sentenceOf(view)}
        {state.phase === 'done' && <CheckVerdict {...view} />}
      </div>
      {state.phase === 'done' && <CheckResult {...view} />}
    </div>
  )
}

/** The sentence about a check that has no result yet. */
export const sentenceOf = ({ texts, state }: CheckView) => {
  const values = { names: state.names, block: blockOf(state.outcome) }
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
