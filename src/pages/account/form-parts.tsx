import type { ComponentChildren } from 'preact'
import type { Context } from '../../db/context.ts'
import { ErrorSummary, Field } from '../components/form.tsx'
import type { AccountTexts, FieldName } from '../texts/account/index.ts'
import type { FormState } from './refusals.ts'

type PageProps = {
  title: string
  t: AccountTexts
  form: FormState
  children: ComponentChildren
}

/** A page with one task: its heading, what was refused, and the form. */
export const FormPage = ({ title, t, form, children }: PageProps) => (
  <div class="narrow stack">
    <h1>{title}</h1>
    <ErrorSummary title={t.refusedTitle} errors={form.errors} />
    {children}
  </div>
)

type InputProps = {
  name: FieldName
  t: AccountTexts
  form: FormState
  /** In place of the usual label of this field. */
  label?: string
  required?: boolean
}

/** What browsers need to know about each field, so that they fill in the right values. */
const KINDS = {
  name: { autocomplete: 'username', spellcheck: false, maxLength: 254 },
  email: { type: 'email', autocomplete: 'email', maxLength: 254 },
  username: { autocomplete: 'username', spellcheck: false, maxLength: 32 },
  password: { type: 'password', autocomplete: 'current-password', maxLength: 1_024 },
  newPassword: { type: 'password', autocomplete: 'new-password', maxLength: 128 },
  code: { inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 6 },
  firstName: { autocomplete: 'given-name', maxLength: 100 },
  lastName: { autocomplete: 'family-name', maxLength: 100 },
  publicName: { maxLength: 80 },
  lang: {},
  token: { autocomplete: 'off', spellcheck: false, maxLength: 300 },
} as const satisfies Record<FieldName, object>

/** A field with its label, hint and error. Passwords and codes are never written into the page. */
export const Input = ({ name, t, form, label = t.labels[name], required = true }: InputProps) => {
  const hints: Partial<Record<FieldName, string>> = t.hints
  const isSecret = name === 'password' || name === 'newPassword' || name === 'code'
  return (
    <Field
      name={name}
      label={label}
      hint={hints[name]}
      error={form.errors.find(({ field }) => field === name)?.text}
      value={isSecret ? undefined : form.values[name]}
      required={required}
      {...KINDS[name]}
    />
  )
}

/** Keeps the page to which the person goes after the form. */
export const ReturnTo = ({ to }: { to: string }) => <input type="hidden" name="to" value={to} />

/** In a sandbox without a mail server, the link to the mail with the code. */
export const PrintedMail = ({ email, t }: { email: string; t: AccountTexts }) => (
  <p class="note">
    {t.mail.printed} <a href={`/api/sandbox/mail?to=${encodeURIComponent(email)}`}>{t.mail.show}</a>
  </p>
)

/** Whether the sandbox shows mails, because there is no mail server. */
export const showsMails = ({ settings }: Context): boolean =>
  settings.environment === 'sandbox' && settings.mailIsPrinted
