type PageLink = { href: string; label: string }

type Props = { label: string; newest?: PageLink | null; older?: PageLink | null }

/** The links of a list that is read by cursors: back to the newest, and to older items. */
export const Pager = ({ label, newest, older }: Props) =>
  newest || older ? (
    <nav class="pager" aria-label={label}>
      {newest && <a href={newest.href}>{newest.label}</a>}
      {older && (
        <a href={older.href} rel="next">
          {older.label}
        </a>
      )}
    </nav>
  ) : null
