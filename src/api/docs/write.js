/** An element with attributes and children; texts stay texts. */
export const element = (name, attributes, ...children) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** The little of CommonMark that the document uses: paragraphs, lists, code and bold. */
export const prose = (text) =>
  text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) =>
      block.startsWith('- ')
        ? element(
            'ul',
            {},
            ...block
              .split(/\n?- /)
              .filter(Boolean)
              .map((item) => element('li', {}, ...inline(item))),
          )
        : element('p', {}, ...inline(block)),
    )

const inline = (text) =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return element('code', {}, part.slice(1, -1))
    return part.startsWith('**') ? element('strong', {}, part.slice(2, -2)) : part
  })
