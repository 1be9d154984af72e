import type { Frame } from './frame.ts'
import { layoutTexts } from './texts/index.ts'

export const Header = ({ frame: { caller, lang } }: { frame: Frame }) => {
  const t = layoutTexts[lang]
  return (
    <header class="site-header">
      <a class="brand" href="/">
        <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 2.5 4.5 5.2v6.1c0 4.6 3.1 8 7.5 10.2 4.4-2.2 7.5-5.6 7.5-10.2V5.2z" />
          <path d="m8.4 12 2.6 2.6 4.6-4.9" />
        </svg>
        {t.name}
      </a>
      <nav aria-label={t.menu}>
        <ul>
          <li>
            <a href="/">{t.campaigns}</a>
          </li>
          <li>
            <a href="/check">{t.check}</a>
          </li>
          <li>{caller ? <a href="/account">{t.account}</a> : <a href="/sign-in">{t.signIn}</a>}</li>
        </ul>
      </nav>
    </header>
  )
}
