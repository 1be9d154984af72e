import { fill } from '../shared/format.ts'
import { CheckDetails } from './check-details.tsx'
import {
  type CheckProps,
  type CheckState,
  type CheckView,
  IDLE,
  type Look,
  type Said,
} from './check-state.ts'
import { sayVerdict } from './check-verdict.tsx'
import { Button, Field, FileField, TextField } from './form.tsx'
import { type IconName, Tick } from './states.tsx'

type Props = CheckProps & { state?: CheckState }

/** The check of a proof: the proof of the donation of this page, or a proof that a donor brings. */
export const ProofCheck = ({ state = IDLE, ...props }: Props) => {
  const view = { ...props, state }
  const said = state.phase === 'done' ? (state.head ?? sayVerdict(view)) : null
  // On the page of a donation, the check has a title.
  const Title = props.donation ? 'h3' : 'h2'
  return (
    <div class="check">
      {props.donation && <StartButton {...view} />}
      <noscript>
        <p>{props.texts.noJavaScript}</p>
      </noscript>
      <div class={said ? `panel panel-${said.look}` : undefined}>
        <div role="status">
          {said ? (
            <>
              <Title class="marked">
                <Tick icon={ICONS[said.look]} />
                {said.title}
              </Title>
              <p>{said.why}</p>
            </>
          ) : (
            <Waiting {...view} />
          )}
        </div>
        {said && <Columns {...view} said={said} />}
      </div>
      {said && <CheckDetails {...view} isWrong={said.look === 'wrong'} />}
      {!props.donation && <Desk {...view} />}
    </div>
  )
}

const ICONS: Record<Look, IconName> = {
  proven: 'check',
  open: 'info',
  doubt: 'warning',
  wrong: 'cross',
}

/** What was proven, and beside it whose word was taken or what is missing. */
const Columns = ({ said: { look, proven, beside }, texts }: CheckView & { said: Said }) => (
  <div class="panel-columns">
    {proven.length > 0 && (
      <div>
        <p class="kicker">{look === 'proven' ? texts.says.proven : texts.says.soFar}</p>
        <ol>
          {proven.map((sentence, index) => (
            <li key={index}>{sentence}</li>
          ))}
        </ol>
      </div>
    )}
    {beside && (
      <div>
        <p class="kicker">{beside[0]}</p>
        {beside[1]}
      </div>
    )}
  </div>
)

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

/** The sentence about a check that has no result yet. After some time it offers a way out. */
const Waiting = ({ texts, state: { phase, names, outcome, isSlow } }: CheckView) => {
  const sentences: Record<CheckState['phase'], string> = {
    idle: '',
    reading: texts.reading,
    asking: fill(texts.asking, { names, block: outcome?.proof?.block.number ?? '' }),
    not_ready: texts.notReady,
    no_answer: texts.noAnswer,
    not_json: texts.desk.notJson,
    keys: texts.desk.keys,
    updates: texts.desk.updates,
    done: '',
  }
  const sentence = sentences[phase]
  const isLate = isSlow && ['reading', 'asking', 'not_ready'].includes(phase)
  return sentence === '' ? null : (
    <>
      <p>{sentence}</p>
      {isLate && <p>{texts.slow}</p>}
      {isLate && phase === 'asking' && (
        <Button type="button" kind="plain" name="act" value="alone">
          {texts.alone}
        </Button>
      )}
    </>
  )
}
