type Props = {
  name: string
  label: string
  hint: string
  error?: string | undefined
}

/** A field for one file of JSON, which stays in the browser. */
export const FileField = ({ name, label, hint, error }: Props) => (
  <div class={error ? 'field field-wrong' : 'field'}>
    <label for={`field-${name}`}>{label}</label>
    <p class={error ? 'field-error' : 'hint'} id={`field-${name}-hint`}>
      {error ?? hint}
    </p>
    <input
      id={`field-${name}`}
      type="file"
      accept=".json,application/json"
      aria-describedby={`field-${name}-hint`}
      aria-invalid={error ? 'true' : undefined}
    />
  </div>
)
