/**
 * Renders /openapi.json. Inserts all content as text, never as HTML, so that a description cannot
 * run a script.
 */
import { languages } from './samples.js'
import { fieldsOf, nameOf, resolve } from './schema.js'
import { element, prose } from './write.js'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const show = (document_) => {
  const { info, tags, servers, paths, webhooks, components } = document_
  const main = document.getElementById('reference')
  const base = new URL(servers[0]?.url ?? '/', location.href).href.replace(/\/$/, '')
  main.replaceChildren(
    element('h1', {}, `${info.title} `, element('small', { class: 'type' }, info.version)),
    element('p', { class: 'note' }, info.summary),
    ...prose(info.description ?? ''),
    element(
      'p',
      {},
      element('code', {}, base),
      ' · ',
      link('openapi.json', 'openapi.json'),
      ' · ',
      link('docs/errors', 'error codes'),
    ),
  )
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      method,
      path,
      base,
      described: item[method],
    })),
  )
  const events = Object.entries(webhooks ?? {}).map(([name, { post }]) => ({
    method: 'event',
    path: name,
    base,
    described: post,
  }))
  const all = [...operations, ...events]
  for (const tag of tags) {
    const own = all.filter(({ described }) => described.tags.includes(tag.name))
    if (own.length === 0) continue
    main.append(
      element(
        'section',
        { id: `tag-${tag.name}` },
        element('h2', {}, tag.name),
        element('p', { class: 'note' }, tag.description ?? ''),
        ...own.map((operation) => article(operation, document_)),
      ),
    )
  }
  main.append(
    element(
      'section',
      { id: 'schemas' },
      element('h2', {}, 'schemas'),
      ...Object.entries(components.schemas).map(([name, schema]) =>
        folded(`schema-${name}`, [element('code', {}, name)], () => [fieldsOf(schema, document_)]),
      ),
    ),
  )
  listContents(tags, all)
  openTarget()
}

/** One operation, drawn when it is opened. */
const article = ({ method, path, base, described }, document_) =>
  folded(
    described.operationId,
    [
      element('span', { class: `method ${method}` }, method),
      element('code', {}, path),
      element('span', { class: 'what' }, described.summary),
    ],
    () => [
      ...prose(described.description ?? ''),
      ...callers(described),
      ...parameters(described, document_),
      ...body('Body', described.requestBody, document_),
      ...Object.entries(described.responses).flatMap(([status, answer]) =>
        response(status, resolve(answer, document_), document_),
      ),
      ...(method === 'event'
        ? []
        : [
            element('h4', {}, 'Example'),
            ...languages([
              ['curl', curl({ method, path, base, described })],
              ...(described['x-codeSamples'] ?? []).map(({ label, source }) => [label, source]),
            ]),
          ]),
    ],
  )

const folded = (id, summary, draw) => {
  const content = element('div', {})
  const details = element('details', { id, class: 'operation' }, element('summary', {}, ...summary))
  details.append(content)
  details.addEventListener(
    'toggle',
    () => {
      if (content.childNodes.length === 0) content.append(...draw())
    },
    { once: true },
  )
  return details
}

const callers = ({ security = [] }) => {
  if (security.length === 0) return []
  const names = security.map((one) => {
    const [name, scopes = []] = Object.entries(one)[0] ?? ['nobody in particular']
    return scopes.length > 0 ? `${name} (${scopes.join(', ')})` : name
  })
  return [element('p', { class: 'note' }, `Asked by: ${names.join(', or ')}.`)]
}

const parameters = ({ parameters: listed = [] }, document_) => {
  if (listed.length === 0) return []
  return [
    element('h4', {}, 'Parameters'),
    element(
      'ul',
      { class: 'fields' },
      ...listed.map((one) => {
        const { name, in: place, required, description, schema } = resolve(one, document_)
        return element(
          'li',
          {},
          element('code', {}, name),
          ' ',
          element('span', { class: 'type' }, `${nameOf(schema, document_)}, ${place}`),
          required ? element('span', { class: 'required' }, ' required') : '',
          description ? element('div', { class: 'note' }, description) : '',
        )
      }),
    ),
  ]
}

const body = (title, holder, document_) => {
  const types = Object.keys(holder?.content ?? {})
  const content = holder?.content?.['application/json']
  if (!content && types.length > 0) {
    return [element('h4', {}, title), element('p', { class: 'note' }, types.join(', '))]
  }
  if (!content) return []
  return [
    element('h4', {}, title),
    fieldsOf(content.schema, document_),
    ...examples(content, document_),
  ]
}

const response = (status, answer, document_) => [
  element(
    'h4',
    {},
    element('span', { class: status < '4' ? 'status' : 'status bad' }, status),
    ` ${status < '4' ? answer.description : ''}`,
  ),
  ...(status < '4' ? body('', answer, document_).slice(1) : prose(answer.description)),
]

/** The examples without repetitions of an equal body. If several remain, each has its name. */
const examples = (content) => {
  const texts = examplesIn(content).map(([name, { value }]) => [
    name,
    JSON.stringify(value, undefined, 2),
  ])
  const different = texts.filter(
    ([, text], place) => text && texts.findIndex((one) => one[1] === text) === place,
  )
  return different.flatMap(([name, text]) => [
    ...(different.length > 1 ? [element('p', { class: 'note' }, name)] : []),
    element('pre', {}, text),
  ])
}

/** Refusals only name theirs. */
const examplesIn = (content) => Object.entries(content?.examples ?? {})

const curl = ({ method, path, base, described }) => {
  const id = (name) =>
    described.parameters.find((one) => one.name === name && one.in === 'path')?.example ??
    `<${name}>`
  const lines = [
    `curl -X ${method.toUpperCase()} '${base}${path.replaceAll(/\{(\w+)\}/g, (_, name) => id(name))}'`,
  ]
  if (described.security?.length > 0) lines.push('-H "Authorization: Bearer $TOKEN"')
  const [type] = Object.keys(described.requestBody?.content ?? {})
  if (type?.startsWith('image/')) lines.push(`-H 'Content-Type: ${type}'`, '--data-binary @file')
  const [example] = examplesIn(described.requestBody?.content?.['application/json'])
  if (example !== undefined) {
    lines.push("-H 'Content-Type: application/json'")
    lines.push(`-d '${JSON.stringify(example[1].value).replaceAll("'", "'\\''")}'`)
  }
  return lines.join(' \\\n  ')
}

const link = (href, text) => element('a', { href }, text)

const listContents = (tags, all) => {
  const contents = document.getElementById('contents')
  const draw = (wanted) => {
    contents.replaceChildren(
      ...tags.flatMap(({ name }) => {
        const own = all.filter(
          ({ path, described }) =>
            described.tags.includes(name) &&
            `${path} ${described.summary} ${described.operationId}`.toLowerCase().includes(wanted),
        )
        if (own.length === 0) return []
        const links = own.map(({ method, path, described }) =>
          element(
            'a',
            { href: `#${described.operationId}` },
            element('span', { class: `method ${method}` }, method),
            path,
          ),
        )
        return [element('h2', {}, name), ...links]
      }),
    )
  }
  draw('')
  const search = document.getElementById('search')
  search.addEventListener('input', () => draw(search.value.trim().toLowerCase()))
}

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target?.tagName !== 'DETAILS') return
  target.open = true
  target.scrollIntoView()
}

addEventListener('hashchange', openTarget)

try {
  const answer = await fetch('openapi.json')
  if (!answer.ok) throw new Error(`it answered ${answer.status}`)
  show(await answer.json())
} catch (error) {
  document
    .getElementById('state')
    ?.replaceChildren(`The document cannot be read: ${error.message}.`)
}
