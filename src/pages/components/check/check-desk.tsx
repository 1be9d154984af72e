import { type CheckProps, type CheckState, IDLE } from '../../shared/check/check-state.ts'
import { Button } from '../button.tsx'
import { Field, TextField } from '../field.tsx'
import { CheckResult, CheckVerdict } from './check-result.tsx'
import { sentenceOf } from './donation-check.tsx'
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
        <Button>{state.phase === 'done' ? texts.again : texts.start}</Button>
      </form>
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
