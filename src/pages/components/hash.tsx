import { shorten } from '../shared/format.ts'
import { Icon } from './icon.tsx'

/** `copy` names the button, such as "Copy the address"; `copied` is said after the click. */
export type CopyTexts = { copy: string; copied: string }

/** A button that copies a text. It is hidden without JavaScript. */
export const Copy = ({ value, texts }: { value: string; texts: CopyTexts }) => (
  <button
    type="button"
    class="copy"
    data-copy={value}
    data-copied={texts.copied}
    aria-label={texts.copy}
    title={texts.copy}
  >
    <Icon name="copy" />
  </button>
)

type Props = {
  value: string
  /** The page of an explorer. */
  href?: string | undefined
  /** Without texts there is no button. */
  texts?: CopyTexts
  /** Shows all characters. */
  full?: boolean
}

/** A hash or an address, short in the middle. */
export const Hash = ({ value, href, texts, full = false }: Props) => {
  const code = <code title={full ? undefined : value}>{full ? value : shorten(value)}</code>
  return (
    <span class={full ? 'hash hash-full' : 'hash'}>
      {href ? (
        <a href={href} rel="noreferrer">
          {code}
        </a>
      ) : (
        code
      )}
      {texts && <Copy value={value} texts={texts} />}
    </span>
  )
}
