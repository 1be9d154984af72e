import { fieldId } from './field.tsx'

/** `field` is the name of an input; without it, the error concerns the whole form. */
export type FormError = { field?: string | undefined; text: string }

type Props = { title: string; errors: readonly FormError[] }

/** Everything that was refused, with links to the fields. A script moves the focus here. */
export const ErrorSummary = ({ title, errors }: Props) =>
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
