import type { Language } from '../shared/languages.ts'

type Props = {
  title: string
  description: string
  /** The path of the page. */
  path: string
  /** The path of the picture, 1200 x 630. */
  picture: string
  publicUrl: string
  lang: Language
}

/** The preview that other sites show of a link to a page (https://ogp.me). */
export const Preview = ({ title, description, path, picture, publicUrl, lang }: Props) => (
  <>
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Fundproof" />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={description} />
    <meta property="og:url" content={new URL(path, publicUrl).href} />
    <meta property="og:image" content={new URL(`${picture}?lang=${lang}`, publicUrl).href} />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta name="twitter:card" content="summary_large_image" />
  </>
)
