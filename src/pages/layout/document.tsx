import type { AnchorHTMLAttributes } from 'preact'
import type { Assets } from '../assets.ts'
import type { Shown } from '../page.ts'
import { THEMES, type Theme } from '../session/cookie.ts'
import type { PageCaller } from '../session/session-cookie.ts'
import { LANGUAGES, type Language, NAME_OF } from '../shared/languages.ts'
import { layoutTexts } from '../texts/layout/index.ts'

/** The paper colour of each theme, as in tokens.css. Browsers take it for their own bars. */
const PAPER = { light: '#fbfaf7', dark: '#111416' }

/** A whole HTML document. */
export const PageDocument = ({ shown, frame }: { shown: Shown; frame: Frame }) => {
  const { assets, lang, theme } = frame
  const t = layoutTexts[lang]
  const title = shown.title === t.name ? t.name : `${shown.title} · ${t.name}`
  return (
    <html lang={lang} data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={shown.description ?? t.description} />
        <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
        {Object.entries(PAPER)
          .filter(([scheme]) => theme === 'auto' || theme === scheme)
          .map(([scheme, color]) => (
            <meta
              key={scheme}
              name="theme-color"
              content={color}
              media={theme === 'auto' ? `(prefers-color-scheme: ${scheme})` : undefined}
            />
          ))}
        <link rel="icon" href={assets.pathOf('icon.svg')} type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link
          rel="preload"
          href={assets.pathOf('source-serif-4-latin-wght-normal.woff2')}
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
        <link rel="stylesheet" href={assets.pathOf('app.css')} />
        {scriptsOf(shown).map((name) => (
          <script key={name} type="module" src={assets.pathOf(`${name}.js`)} />
        ))}
        {shown.isHidden && <meta name="robots" content="noindex" />}
        <Addresses shown={shown} frame={frame} />
        {shown.head}
      </head>
      <body>
        {shown.bare ? (
          shown.body
        ) : (
          <>
            <a class="skip" href="#main">
              {t.skip}
            </a>
            <Header frame={frame} />
            <main id="main">{shown.body}</main>
            <Footer frame={frame} />
            {shown.scripts?.includes('live') && (
              <p class="not-live" role="status" data-not-live={t.notLive} hidden />
            )}
          </>
        )}
      </body>
    </html>
  )
}

/** The scripts of a page. All pages but bare ones have the script `page`. */
const scriptsOf = ({ bare = false, scripts = [] }: Shown): string[] => [
  ...new Set([...(bare ? [] : ['page']), ...scripts]),
]

/** The main address of the page, and its addresses in the other languages. */
const Addresses = ({ shown, frame }: { shown: Shown; frame: Frame }) => {
  if (shown.status !== undefined && shown.status !== 200)
    return <meta name="robots" content="noindex" />
  const path = shown.canonical ?? frame.path.split('?')[0] ?? '/'
  const address = (query: string) => new URL(`${path}${query}`, frame.publicUrl).href
  return (
    <>
      <link rel="canonical" href={address('')} />
      {LANGUAGES.map((lang) => (
        <link key={lang} rel="alternate" hreflang={lang} href={address(`?lang=${lang}`)} />
      ))}
    </>
  )
}

const Header = ({ frame: { caller, lang } }: { frame: Frame }) => {
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
      <Links
        label={t.menu}
        links={[
          { href: '/', text: t.campaigns },
          { href: '/check', text: t.check },
          caller ? { href: '/account', text: t.account } : { href: '/sign-in', text: t.signIn },
        ]}
      />
    </header>
  )
}

const Footer = ({ frame }: { frame: Frame }) => {
  const t = layoutTexts[frame.lang]
  return (
    <footer class="site-footer">
      <p>{t.promise}</p>
      <Links
        label={t.more}
        links={[
          { href: '/status', text: t.status },
          { href: '/docs', text: t.api },
        ]}
      />
      <Links
        label={t.language}
        links={LANGUAGES.map((lang) => ({
          href: pathWith(frame, 'lang', lang),
          lang,
          hreflang: lang,
          text: NAME_OF[lang],
          ...choice(lang === frame.lang),
        }))}
      />
      <Links
        label={t.theme}
        links={THEMES.map((theme) => ({
          href: pathWith(frame, 'theme', theme),
          text: t.themes[theme],
          ...choice(theme === frame.theme),
        }))}
      />
    </footer>
  )
}

type Link = AnchorHTMLAttributes & { href: string; text: string }

const Links = ({ label, links }: { label: string; links: readonly Link[] }) => (
  <nav aria-label={label}>
    <ul>
      {links.map(({ text, ...link }) => (
        <li key={text}>
          <a {...link}>{text}</a>
        </li>
      ))}
    </ul>
  </nav>
)

/** A link to a choice. Marks the language or theme that the page has now. */
const choice = (isNow: boolean) => ({
  rel: 'nofollow',
  ...(isNow && { 'aria-current': 'true' as const }),
})

/** The same page with another language or theme. */
const pathWith = ({ path, query }: Frame, name: string, value: string): string => {
  const changed = new URLSearchParams(query)
  changed.delete('lang')
  changed.delete('theme')
  changed.set(name, value)
  return `${path.split('?')[0]}?${changed}`
}

/** The data of a request that every page gets. */
export type Frame = {
  readonly assets: Assets
  readonly caller: PageCaller | null
  readonly lang: Language
  readonly theme: Theme
  /** The path with the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly publicUrl: string
}
