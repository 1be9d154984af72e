import { element } from './write.js'

/** The language that the reader chose last, which all operations show. */
let chosen = 'curl'
const drawn = new Set()

/** Samples by language, one at a time, with a button for each language. */
export const languages = (samples) => {
  const text = element('pre', {})
  const buttons = samples.map(([name]) => {
    const button = element('button', { type: 'button' }, name)
    button.addEventListener('click', () => {
      chosen = name
      for (const draw of drawn) draw()
    })
    return button
  })
  const draw = () => {
    const known = samples.find(([name]) => name === chosen) ?? samples[0]
    text.replaceChildren(known[1])
    for (const button of buttons) {
      button.setAttribute('aria-pressed', String(button.textContent === known[0]))
    }
  }
  drawn.add(draw)
  draw()
  return [element('p', { class: 'languages' }, ...buttons), text]
}
