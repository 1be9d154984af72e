import { createHash } from 'node:crypto'

const WIDTH = 1_600
const HEIGHT = 900
const LINES = 17
const STEP = 200

/** The lines of a campaign without a cover. Grey says that the campaign has ended. */
export type Ink = 'green' | 'grey'

const COLORS: Readonly<Record<Ink, { paper: string; line: string }>> = {
  green: { paper: '#eef2ec', line: '#0b6b4f' },
  grey: { paper: '#f2f0ea', line: '#545b62' },
}

/** A quiet SVG for a campaign without a cover: ridges whose form follows from its id. */
export const patternOf = (id: string, ink: Ink): string => {
  const { paper, line } = COLORS[ink]
  const ridges = Array.from({ length: LINES }, (_, index) => {
    const opacity = (0.24 + (0.3 * index) / LINES).toFixed(2)
    return `<path stroke-opacity="${opacity}" d="${curveOf(id, index)}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice"><path fill="${paper}" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><g fill="none" stroke="${line}" stroke-width="3">${ridges.join('')}</g></svg>`
}

/** One ridge from left to right. The two waves of all ridges are those of the id. */
const curveOf = (id: string, index: number): string => {
  const [a = 0, b = 0, c = 0, d = 0] = createHash('sha256').update(id).digest()
  const phase = index / LINES
  const waves = [
    { size: 130 - 80 * phase, length: 900 + 3 * a, shift: b / 40 + phase * (c / 120) },
    { size: 30 + 40 * phase, length: 560 + 2 * d, shift: a / 40 - phase * (b / 160) },
  ]
  const sum = (of: (wave: (typeof waves)[number]) => number) =>
    waves.reduce((all, wave) => all + of(wave), 0)
  const angle = ({ length, shift }: (typeof waves)[number], x: number) =>
    (2 * Math.PI * x) / length + shift
  const y = (x: number) => 170 + index * 50 + sum((one) => one.size * Math.sin(angle(one, x)))
  const slope = (x: number) =>
    sum((one) => ((2 * Math.PI * one.size) / one.length) * Math.cos(angle(one, x)))
  const curves = Array.from({ length: WIDTH / STEP }, (_, step) => {
    const [from, to, third] = [step * STEP, (step + 1) * STEP, STEP / 3]
    const points = [
      [from + third, y(from) + slope(from) * third],
      [to - third, y(to) - slope(to) * third],
      [to, y(to)],
    ]
    return `C${points.map((point) => point.map(Math.round).join(' ')).join(' ')}`
  })
  return `M0 ${Math.round(y(0))}${curves.join('')}`
}
