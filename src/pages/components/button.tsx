import type { ComponentChildren } from 'preact'

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

type LinkProps = { href: string; kind?: ButtonKind; children: ComponentChildren }

/** A link that looks like a button, for the next step. */
export const LinkButton = ({ href, kind = 'primary', children }: LinkProps) => (
  <a class={`button button-${kind}`} href={href}>
    {children}
  </a>
)
