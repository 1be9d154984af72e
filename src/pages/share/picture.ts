/** What a picture for other sites shows. All texts are plain. */
export type Picture = {
  /** The `data:` URL of the cover. */
  cover: string
  /** A small line above the title. */
  by: string
  title: string
  /** The words at the right: a large one, and a small line below it. */
  figure: string
  below: string
  /** The filled part of the bar in thousandths; null for no bar. */
  share: number | null
}

const INK = '#15181b'
const SOFT = '#545b62'
const PAPER = '#fbfaf7'
const TITLE_WIDTH = 650
const FIGURE_WIDTH = 360

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The characters that the fonts of the pages have. */
const DRAWABLE = /^[\u0020-\u024f\u2010-\u2026\u20ac]*$/

/** A text as XML; nothing if the fonts lack one of its characters. */
const xmlOf = (text: string): string =>
  DRAWABLE.test(text) ? text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '') : ''

/** About the width of a text, in units of the font's size. Rather too wide than too narrow. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => {
    if (/[mwMW@%…—]/.test(character)) return sum + 0.9
    if (/[iljtfr.,:;'’ \u00a0]/.test(character)) return sum + 0.34
    return sum + (/\p{Lu}/u.test(character) ? 0.68 : 0.55)
  }, 0)

/** The largest size up to `size` in which a text has this width. */
const sizeFor = (text: string, size: number, width: number): number =>
  Math.min(size, Math.floor(width / Math.max(widthOf(text), 1)))

/** Breaks a text into two lines of this width, the second cut if the text is too long. */
const inTwoLines = (text: string, size: number): string[] => {
  const lines = ['', '']
  for (const word of text.split(' ')) {
    const at = lines[1] === '' && widthOf(`${lines[0]} ${word}`) * size <= TITLE_WIDTH ? 0 : 1
    lines[at] = `${lines[at]} ${word}`.trim()
  }
  let [first = '', last = ''] = lines
  while (widthOf(last) * size > TITLE_WIDTH) last = `${last.replace(/…$/, '').slice(0, -1)}…`
  return first === '' ? [last] : [first, last]
}

type Styled = { x: number; y: number; size: number; color?: string; isBold?: boolean }

/** The font has one weight here, so a line around the letters makes bold ones. */
const textAt = (text: string, { x, y, size, color = INK, isBold = false }: Styled): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${color}"${isBold ? ` stroke="${color}" stroke-width="${size / 45}"` : ''}>${xmlOf(text)}</text>`

const titleAt = (title: string): string[] => {
  const isShort = widthOf(title) * 60 <= TITLE_WIDTH
  const [size, lines] = isShort ? [60, [title]] : [44, inTwoLines(title, 44)]
  const top = lines.length === 1 ? 557 : 522
  return lines.map((line, index) =>
    textAt(line, { x: 64, y: top + index * 52, size, isBold: true }),
  )
}

/** Draws the picture, 1200 x 630: the cover, and below it a panel with the words. */
export const pictureSvg = ({ cover, by, title, figure, below, share }: Picture): string =>
  [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630" font-family="Source Serif 4">',
    `<rect width="1200" height="630" fill="${PAPER}"/>`,
    // Of a cover of 16:9, the lower part shows.
    `<image href="${cover}" y="-212" width="1200" height="675" preserveAspectRatio="xMidYMid slice"/>`,
    `<rect y="400" width="1200" height="230" fill="${PAPER}"/>`,
    `<rect x="48" y="26" width="232" height="56" rx="12" fill="${PAPER}"/>`,
    `<path transform="translate(64 36) scale(1.5)" fill="none" stroke="${INK}" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" d="M12 2.5 4.5 5.2v6.1c0 4.6 3.1 8 7.5 10.2 4.4-2.2 7.5-5.6 7.5-10.2V5.2zm-3.6 9.5 2.6 2.6 4.6-4.9"/>`,
    textAt('Fundproof', { x: 112, y: 64, size: 28, isBold: true }),
    textAt(by, { x: 64, y: 470, size: sizeFor(by, 24, TITLE_WIDTH), color: SOFT }),
    ...titleAt(title),
    textAt(figure, { x: 776, y: 500, size: sizeFor(figure, 52, FIGURE_WIDTH), isBold: true }),
    ...(share === null
      ? []
      : [
          '<rect x="776" y="524" width="360" height="14" rx="7" fill="#eceae4"/>',
          `<rect x="776" y="524" width="${(share * FIGURE_WIDTH) / 1_000}" height="14" rx="7" fill="#0b6b4f"/>`,
        ]),
    textAt(below, { x: 776, y: 574, size: sizeFor(below, 24, FIGURE_WIDTH), color: SOFT }),
    '</svg>',
  ].join('')
