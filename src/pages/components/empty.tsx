import { LinkButton } from './button.tsx'

type Props = { text: string; action?: { href: string; label: string } | undefined }

/** An empty list: a sentence, and the one thing to do about it. */
export const Empty = ({ text, action }: Props) => (
  <div class="empty">
    <p>{text}</p>
    {action && (
      <LinkButton kind="plain" href={action.href}>
        {action.label}
      </LinkButton>
    )}
  </div>
)
