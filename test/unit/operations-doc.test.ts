import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { METRICS, type MetricDefinition } from '../../src/kernel/ports/metrics.ts'
import { createMetricsRegistry } from '../../src/metrics/index.ts'
import { newFolder } from '../support/new-folder.ts'

/** The Prometheus and Grafana settings in `docs/operations` must fit the metrics of the service. */
const DOCS = join(import.meta.dirname, '../../docs')
const read = (path: string): string => readFileSync(join(DOCS, path), 'utf8')

type Rule = {
  alert: string
  expr: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

/**
 * Reads the rules line by line, in the few forms of YAML that the file uses. Any other form fails.
 */
const readRules = (text: string): Rule[] => {
  const rules: Rule[] = []
  for (const line of text.split('\n')) {
    if (/^\s*(#.*)?$/.test(line) || /^(groups:| {2}- name: [a-z-]+| {4}rules:)$/.test(line))
      continue
    const alert = /^ {6}- alert: (\w+)$/.exec(line)?.[1]
    if (alert !== undefined) {
      rules.push({ alert, expr: '', labels: {}, annotations: {} })
      continue
    }
    const rule = rules.at(-1)
    const expr = /^ {8}expr: ([^"'&*!|>%@`{[].*)$/.exec(line)?.[1]
    const severity = /^ {8}labels: \{ severity: (critical|warning|info) \}$/.exec(line)?.[1]
    const [, key, value] =
      /^ {10}(summary|description|action|runbook_url): (".*")$/.exec(line) ?? []
    if (rule && expr !== undefined && !/: | #/.test(expr)) rule.expr = expr
    else if (rule && severity !== undefined) rule.labels.severity = severity
    else if (rule && key !== undefined) rule.annotations[key] = JSON.parse(value ?? '') as string
    else if (!/^ {8}(for: \d+m|annotations:)$/.test(line))
      throw new Error(`Not understood: ${line}`)
  }
  return rules
}

const rules = readRules(read('operations/alerts.yml'))

type Panel = {
  id: number
  type: string
  title: string
  datasource?: { uid: string }
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; refId: string; datasource: { uid: string } }[]
}
const dashboard = JSON.parse(read('operations/dashboard.json')) as {
  uid: string
  title: string
  schemaVersion: number
  templating: { list: { name: string; type: string; query: string }[] }
  panels: Panel[]
}
const graphs = dashboard.panels.filter((panel) => panel.type !== 'row')
const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...graphs.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
]

const definitions: Readonly<Record<string, MetricDefinition>> = METRICS
/** Every time series of the metrics catalogue, with its labels. */
const SERIES = new Map<string, readonly string[]>(
  Object.entries(definitions).flatMap(([name, { kind, labels }]) =>
    kind === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']] as const,
          [`${name}_sum`, labels] as const,
          [`${name}_count`, labels] as const,
        ]
      : [[name, labels] as const],
  ),
)
const VARIABLE = `\${datasource}`
const OF_EVERY_SCRAPE = ['job', 'instance']
const WORDS = new Set(
  (
    'sum min max count topk by on group_right unless and or offset vector rate increase delta ' +
    'min_over_time histogram_quantile absent abs'
  ).split(' '),
)

const withoutText = (expr: string): string => expr.replaceAll(/"[^"]*"/g, '""')

/** The names in an expression, without its selectors, groupings and durations. */
const namesIn = (expr: string): string[] =>
  withoutText(expr)
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on|group_right) \([^)]*\)|\boffset \d+[smhd]/g, ' ')
    .match(/[a-zA-Z_]\w*/g) ?? []

const selectorsIn = (expr: string): [name: string, labels: string[]][] =>
  [...withoutText(expr).matchAll(/([a-z_]\w*)\{([^}]*)\}/g)].map(([, name = '', matchers = '']) => [
    name,
    matchers.split(',').map((one) => /^(\w+)(?:=~|!~|!=|=)""$/.exec(one)?.[1] ?? one),
  ])

describe.each(queries)('%s', (_where, expr) => {
  const metrics = namesIn(expr).filter((word) => !WORDS.has(word))

  test('asks for metrics that there are', async () => {
    const text = await createMetricsRegistry().text()
    const ofNode = [...text.matchAll(/^# TYPE ((?:nodejs|process)_\w+) /gm)].map(([, name]) => name)
    expect(metrics.length).toBeGreaterThan(0)
    for (const name of metrics) expect(['up', ...ofNode, ...SERIES.keys()]).toContain(name)
  })

  test('asks for labels that its metrics have', () => {
    for (const [name, labels] of selectorsIn(expr)) {
      expect([...OF_EVERY_SCRAPE, ...(SERIES.get(name) ?? [])]).toEqual(
        expect.arrayContaining(labels),
      )
    }
    const known = new Set([
      ...OF_EVERY_SCRAPE,
      ...metrics.flatMap((name) => SERIES.get(name) ?? []),
    ])
    for (const [, list = ''] of expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)) {
      for (const label of list.split(', ')) expect([...known]).toContain(label)
    }
  })

  test('closes what it opens', () => {
    let open = ''
    for (const sign of withoutText(expr).match(/[()[\]{}]/g) ?? []) {
      if ('([{'.includes(sign)) open += sign
      else {
        expect(`${open.at(-1)}${sign}`).toMatch(/^(\(\)|\[\]|\{\})$/)
        open = open.slice(0, -1)
      }
    }
    expect(open).toBe('')
    expect(expr).not.toMatch(/\$(?!__rate_interval)/)
  })
})

test('every metric of the catalogue is on the dashboard or behind an alert', () => {
  const used = new Set(queries.flatMap(([, expr]) => namesIn(expr)))
  const unused = Object.entries(definitions).filter(([name, { kind }]) =>
    kind === 'histogram' ? !used.has(`${name}_bucket`) : !used.has(name),
  )
  expect(unused.map(([name]) => name)).toEqual([])
})

describe('the alerts', () => {
  test.each(rules)('$alert says how bad it is, what it is and what to do', (rule) => {
    expect(rule.alert).toMatch(/^Fundproof[A-Z]\w+$/)
    expect(rule.expr).not.toBe('')
    expect(rule.labels.severity).toMatch(/^(critical|warning|info)$/)
    for (const text of ['summary', 'description', 'action']) {
      expect(rule.annotations[text]?.length).toBeGreaterThan(10)
    }
    const texts = Object.values(rule.annotations).join(' ')
    const known = namesIn(rule.expr).flatMap((name) => SERIES.get(name) ?? [])
    for (const [, label] of texts.matchAll(/\$labels\.(\w+)/g)) {
      expect([...OF_EVERY_SCRAPE, ...known]).toContain(label)
    }
    expect(texts.replaceAll(/\{\{ \$(labels\.\w+|value)( \| humanize\w*)? \}\}/g, '')).not.toMatch(
      /[{}]{2}/,
    )
  })

  test.each(rules)('$alert names a page of the runbook and a heading in it', (rule) => {
    const [, page = '', anchor] =
      /^docs\/(runbook\/[\w-]+\.md)#([\w-]+)$/.exec(rule.annotations.runbook_url ?? '') ?? []
    expect(page).not.toBe('')
    const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    expect(headings).toContain(anchor)
  })

  test('name only jobs that the log names', () => {
    const worker = join(import.meta.dirname, '../../worker')
    const code = globSync('**/*.ts', { cwd: worker }).map((path) =>
      readFileSync(join(worker, path), 'utf8'),
    )
    const jobs = code.flatMap((text) =>
      [...text.matchAll(/(?:createLoop\(\{\s*name: |loopOf\()['`]([a-z-]+)/g)].map(
        ([, job]) => job,
      ),
    )
    const named = rules.flatMap(({ annotations }) =>
      [...(annotations.action ?? '').matchAll(/\bjobs? ([a-z]+(?:-[a-z]+)+)/g)].map(
        ([, job]) => job,
      ),
    )
    expect(named.length).toBeGreaterThan(2)
    for (const job of named) expect(jobs).toContain(job)
  })

  test('ask for values of labels that the code gives', () => {
    const code = globSync('{src,worker}/**/*.ts', { cwd: join(DOCS, '..') }).map((path) =>
      readFileSync(join(DOCS, '..', path), 'utf8'),
    )
    const values = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/\b(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].flatMap(([, label, list = '']) =>
        label === 'job' || list === '5..' ? [] : list.split('|').map((value) => [label, value]),
      ),
    )
    expect(values.length).toBeGreaterThan(10)
    const unknown = values.filter(([label, value]) => {
      const given = label === 'collector' ? `\\b${value}: read|name: '${value}'` : `'${value}'`
      return !code.some((text) => new RegExp(given).test(text))
    })
    expect(unknown).toEqual([])
  })

  test('include one for a service without a worker, whose numbers are all absent then', () => {
    expect(rules.map(({ expr }) => expr)).toContain(
      'absent(fundproof_collector_up{collector="chains"})',
    )
  })

  test('have names of their own, each explained in the documentation', () => {
    const names = rules.map(({ alert }) => alert)
    expect(names.length).toBeGreaterThan(20)
    expect(new Set(names).size).toBe(names.length)
    const explained = [...read('operations.md').matchAll(/^\| `(\w+)` \|/gm)].map(
      ([, name]) => name,
    )
    expect(explained).toEqual(names)
  })
})

test.each([
  ['DATABASE_URL', 'postgres://one'],
  ['DATABASE_URL_FILE', join(DOCS, '../docker/secrets/database_url')],
])('the commands of the runbook work on the database of %s', (name, value) => {
  const line = /^\$ (db=.*)$/m.exec(read('runbook/4-chains.md'))?.[1]
  const env = { PATH: process.env.PATH, [name]: value }
  const said = execFileSync('sh', ['-c', `${line}\necho "\${db:?}"`], { env, encoding: 'utf8' })
  expect(said).toMatch(/^postgres:\/\/\w+/)
  const commands = globSync('runbook/*.md', { cwd: DOCS }).map(read).join('\n')
  expect(commands.match(/\$DATABASE_URL\b.*/g)).toEqual(null)
  expect(commands.match(/"\$\{db:\?\}"/g)).toHaveLength(3)
})

test('commands that make a secret keep the earlier value, also if an operator repeats them', () => {
  const folder = newFolder()
  const run = (line = 'false') => spawnSync('sh', ['-c', line], { cwd: folder })
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  const first = /^\(umask 077; set -C; .*openssl .*\)$/m.exec(read('operations.md'))?.[0]
  const make = first
    ?.replaceAll('/etc/fundproof', '.')
    .replace('.env.example', join(DOCS, '../.env.example'))
  run(make)
  const old = text('secret')
  expect(old).toMatch(/^[0-9a-f]{64}\n$/)
  run(make)
  expect(text('secret')).toBe(old)
  const page = read('runbook/3-secrets.md')
  const copy = /`cd \S+; (umask 077; cp [^`]*)`/.exec(page)?.[1]
  const change = /^ *\$ \(cd \S+; (cmp .*)\)$/m.exec(page)?.[1]
  for (const line of [copy, change]) run(line)
  const fresh = text('secret')
  expect(fresh).toMatch(/^[0-9a-f]{64}\n$/)
  expect(fresh).not.toBe(old)
  for (const line of [copy, change, copy, change]) run(line)
  expect([text('secret'), text('secret-previous')]).toEqual([fresh, old])
})

test('the dashboard takes its data source from a variable, and no two panels overlap', () => {
  expect(dashboard).toMatchObject({ uid: 'fundproof', title: 'Fundproof', schemaVersion: 39 })
  expect(dashboard.templating.list).toMatchObject([
    { name: 'datasource', type: 'datasource', query: 'prometheus' },
  ])
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  const cells = new Set<string>()
  for (const { datasource, gridPos, targets = [] } of graphs) {
    expect([datasource, ...targets.map((target) => target.datasource)]).toEqual(
      [datasource, ...targets].map(() => ({ type: 'prometheus', uid: VARIABLE })),
    )
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(cells.has(`${x} ${y}`)).toBe(false)
        cells.add(`${x} ${y}`)
      }
    }
  }
})

test('the units for systemd start what `npm run api` and `npm run worker` start', () => {
  const { scripts } = JSON.parse(readFileSync(join(DOCS, '../package.json'), 'utf8'))
  const started = [...read('operations.md').matchAll(/ExecStart=\S*\/(node [^`\n]+)/g)]
  expect(started.map(([, command]) => `exec ${command}`)).toEqual([scripts.api, scripts.worker])
})
