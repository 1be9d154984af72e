import {
  type CheckProps,
  type CheckState,
  type CheckView,
  IDLE,
} from '../../shared/check/check-state.ts'
import { fill } from '../../shared/fill.ts'
import { Button } from '../button.tsx'
import { Field, FileField, TextField } from '../field.tsx'
import { CheckResult, CheckVerdict } from './check-result.tsx'

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
