import { STATUS_OF } from '../../edge/errors.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { FormError } from '../components/form.tsx'
import type { Language } from '../shared/languages.ts'
import { type AccountTexts, accountTexts, type FieldName } from '../texts/account/index.ts'

/** The values that a person typed, and what was wrong with them. */
export type FormState = {
  readonly values: Readonly<Partial<Record<FieldName, string>>>
  readonly errors: readonly FormError[]
}

export const EMPTY_FORM: FormState = { values: {}, errors: [] }

/** A form that is shown again, and the status of the answer. */
export type RefusedForm = { form: FormState; status: number }

/** The form to show again, with the reasons of an error. Throws like `refusalsOf`. */
export const refusedForm = (
  error: unknown,
  lang: Language,
  values: FormState['values'] = {},
  renamed: Renamed = {},
): RefusedForm => ({
  form: { values, errors: refusalsOf(error, accountTexts[lang], renamed) },
  status: statusOf(error),
})

/** The names of fields that have another name in the domain. */
type Renamed = Readonly<Record<string, FieldName>>

/** A refusal that a form explains. */
type Refusal = keyof AccountTexts['refused']

/** The fields to which some refusals belong. */
const FIELD_OF: Partial<Record<Refusal, FieldName>> = {
  invalid_code: 'code',
  email_taken: 'email',
  username_taken: 'username',
}

/**
 * Explains a refusal in the words of a form. Throws errors that no form explains, which get a page
 * of their own.
 */
export const refusalsOf = (
  error: unknown,
  { rules, refused }: AccountTexts,
  renamed: Renamed = {},
): FormError[] => {
  if (!(error instanceof DomainError)) throw error
  const fields = error.details?.map(({ path }) => renamed[path] ?? path) ?? []
  if (error.code === 'invalid_input' && fields.length > 0 && fields.every(isField)) {
    return [...new Set(fields)].map((field) => ({ field, text: rules[field] }))
  }
  if (!isRefusal(error.code)) throw error
  return [{ field: FIELD_OF[error.code], text: refused[error.code] }]
}

/**
 * The status of a form that is shown again. A wrong password is 400, because 401 asks a browser
 * for another way to sign in.
 */
export const statusOf = (error: unknown): number => {
  const status = error instanceof DomainError ? STATUS_OF[error.code] : 500
  return status === 401 ? 400 : status
}

const isField = (name: string): name is FieldName => Object.hasOwn(accountTexts.en.rules, name)
const isRefusal = (code: string): code is Refusal => Object.hasOwn(accountTexts.en.refused, code)
