import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { Icon } from './states.tsx'

type Shared = {
  name: string
  label: string
  hint?: string | undefined
  /** Why the value was refused. */
  error?: string | undefined
  value?: string | undefined
  required?: boolean
}

/** The id of a field's input, for links of the error summary. */
const fieldId = (name: string): string => `field-${name}`

const describedBy = ({ name, hint, error }: Shared): string | undefined =>
  [hint && `${fieldId(name)}-hint`, error && `${fieldId(name)}-error`].filter(Boolean).join(' ') ||
  undefined

const Notes = ({ name, hint, error }: Shared) => (
  <>
    {hint && (
      <p class="hint" id={`${fieldId(name)}-hint`}>
        {hint}
      </p>
    )}
    {error && (
      <p class="field-error" id={`${fieldId(name)}-error`}>
        <Icon name="warning" />
        {error}
      </p>
    )}
  </>
)

const Labelled = ({ children, ...field }: Shared & { children: ComponentChildren }) => (
  <div class={field.error ? 'field field-wrong' : 'field'}>
    <label for={fieldId(field.name)}>{field.label}</label>
    <Notes {...field} />
    {children}
  </div>
)

const inputProps = (field: Shared) => ({
  id: fieldId(field.name),
  name: field.name,
  required: field.required,
  'aria-describedby': describedBy(field),
  'aria-invalid': field.error ? ('true' as const) : undefined,
})

type FieldProps = Shared & {
  type?: 'text' | 'email' | 'password' | 'search' | 'url'
  autocomplete?: string
  inputMode?: 'decimal' | 'numeric'
  maxLength?: number
  spellcheck?: boolean
  /** Text at the end of the input, such as a currency. */
  suffix?: string
}

/** A label above one line of input, with its hint and its error. */
export const Field = ({ suffix, ...field }: FieldProps) => {
  const { label, hint, error, value, type = 'text', ...rest } = field
  // Preact has a type of its own for each `type`, and none for a choice of them.
  const input = { ...rest, ...inputProps(field), type, value } as InputHTMLAttributes
  return (
    <Labelled {...field}>
      <span class="input">
        <input {...input} />
        {suffix && <span class="suffix">{suffix}</span>}
      </span>
    </Labelled>
  )
}

/** A field of several lines. */
export const TextField = (field: Shared) => (
  <Labelled {...field}>
    <textarea rows={3} {...inputProps(field)}>
      {field.value}
    </textarea>
  </Labelled>
)

/** A field for one file of JSON, which stays in the browser. */
export const FileField = (field: Shared) => (
  <Labelled {...field}>
    <input type="file" accept=".json,application/json" {...inputProps(field)} />
  </Labelled>
)

type Option = { value: string; label: string }

/** A choice of one of several options in a list. */
export const SelectField = (field: Shared & { options: readonly Option[] }) => (
  <Labelled {...field}>
    <select {...inputProps(field)}>
      {field.options.map(({ value, label }) => (
        <option key={value} value={value} selected={value === field.value}>
          {label}
        </option>
      ))}
    </select>
  </Labelled>
)

/** A page has at most one `primary` button. */
type ButtonKind = 'primary' | 'plain' | 'danger'

type Props = {
  kind?: ButtonKind
  type?: 'submit' | 'button'
  name?: string
  value?: string
  /** Shown like a disabled button, but keeps the focus. The form must ignore its presses. */
  'aria-disabled'?: boolean
  onClick?: (() => void) | undefined
  children: ComponentChildren
}

/** A button of a form, or of an island with `onClick`. */
export const Button = ({ kind = 'primary', type = 'submit', children, ...rest }: Props) => (
  <button type={type} class={`button button-${kind}`} {...rest}>
    {children}
  </button>
)

/**
 * A sentence and a way out for a form whose server does not answer. The script `slow` shows it some
 * seconds after the form was sent.
 */
export const SlowNote = ({ text, again, href }: { text: string; again: string; href: string }) => (
  <p class="note" role="status" data-slow hidden>
    {text} <a href={href}>{again}</a>
  </p>
)

type LinkProps = { href: string; kind?: ButtonKind; children: ComponentChildren }

/** A link that looks like a button, for the next step. */
export const LinkButton = ({ href, kind = 'primary', children }: LinkProps) => (
  <a class={`button button-${kind}`} href={href}>
    {children}
  </a>
)

/** `field` is the name of an input; without it, the error concerns the whole form. */
export type FormError = { field?: string | undefined; text: string }

type ErrorSummaryProps = { title: string; errors: readonly FormError[] }

/** Everything that was refused, with links to the fields. A script moves the focus here. */
export const ErrorSummary = ({ title, errors }: ErrorSummaryProps) =>
  errors.length === 0 ? null : (
    <div class="error-summary" role="alert" tabIndex={-1} data-focus>
      <h2>{title}</h2>
      <ul>
        {errors.map(({ field, text }) => (
          <li key={text}>
            {field === undefined ? text : <a href={`#${fieldId(field)}`}>{text}</a>}
          </li>
        ))}
      </ul>
    </div>
  )
