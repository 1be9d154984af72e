import { NAME_OF } from '../languages.ts'
import { LANGUAGES } from '../shared/languages.ts'
import { layoutTexts } from '../texts/layout/index.ts'
import { type Frame, THEMES } from './frame.ts'

export const Footer = ({ frame }: { frame: Frame }) => {
  const t = layoutTexts[frame.lang]
  return (
    <footer class="site-footer">
      <p>{t.promise}</p>
      <nav aria-label={t.more}>
        <ul>
          <li>
            <a href="/status">{t.status}</a>
          </li>
          <li>
            <a href="/docs">{t.api}</a>
          </li>
        </ul>
      </nav>
      <nav aria-label={t.language}>
        <ul>
          {LANGUAGES.map((lang) => (
            <li key={lang}>
              <a
                href={pathWith(frame, 'lang', lang)}
                lang={lang}
                hreflang={lang}
                rel="nofollow"
                {...current(lang === frame.lang)}
              >
                {NAME_OF[lang]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label={t.theme}>
        <ul>
          {THEMES.map((theme) => (
            <li key={theme}>
              <a
                href={pathWith(frame, 'theme', theme)}
                rel="nofollow"
                {...current(theme === frame.theme)}
              >
                {t.themes[theme]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </footer>
  )
}

/** Marks the language or theme that the page has now. */
const current = (is: boolean) => (is ? { 'aria-current': 'true' as const } : {})

/** The same page with another language or theme. */
const pathWith = ({ path, query }: Frame, name: string, value: string): string => {
  const changed = new URLSearchParams(query)
  changed.delete('lang')
  changed.delete('theme')
  changed.set(name, value)
  return `${path.split('?')[0]}?${changed}`
}
