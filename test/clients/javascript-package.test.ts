import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packedClient } from './support/shared.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAX_CORE_BYTES = 60_000

/**
 * A program that uses all three entries of the package. The tests import, require and compile it.
 */
const CHECKS = `
const transport = new FakeTransport([{ body: { id: 'd1', status: 'completed' } }])
const options = { environment: 'sandbox', baseUrl: 'https://fundproof.example.org', transport }
const { status } = await new Fundproof(options).donations.get('d1')
const headers = await sign('{"id":"e1"}', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
const event = await verify('{"id":"e1"}', headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
const { ok } = await verifyProof({}, { nodes: [] })
const nowhere = new Fundproof({ environment: 'sandbox', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 })
const { name } = await nowhere.chains.list().catch((error) => error)
console.log(status, event.id, ok, name)
`

const CONSUMER = `
import { ApiError, type Donation, Fundproof, type FundproofOptions } from 'fundproof'
import { verifyProof } from 'fundproof/verify'
import { verify } from 'fundproof/webhooks'

const key: string | undefined = undefined
const options: FundproofOptions = { apiKey: key, environment: 'sandbox', timeout: undefined }
const fundproof = new Fundproof(options)

export const record = async (campaignId: string, txHash: string): Promise<string | undefined> => {
  const transaction = { txHash, ledgerAddress: '0x' }
  const amount = { value: '25.10', currency: 'USDC' }
  const { data, response } = await fundproof.donations
    .record({ campaignId, amount, transaction, type: undefined })
    .withResponse()
  const id: string | null = response.requestId
  const done: Donation = await fundproof.donations.waitFor(data.id, { timeout: 1_000 })
  for await (const each of fundproof.donations.list({ status: ['completed'] })) {
    const value: string = each.amount.value
    console.log(value, id)
  }
  const proof = await fundproof.donations.proof(done.id)
  const { ok } = await verifyProof(proof, { keys: (await fundproof.system.signingKeys()).keys })
  return ok ? done.creditedAmount?.value : undefined
}

export const receive = async (request: Request): Promise<string | undefined> => {
  const event = await verify(await request.text(), request.headers, ['whsec_a', 'whsec_b'])
  if (event.event === 'donation.completed') return event.data.amount.value
  if (event.event === 'user.verified') return event.data.userId
  return undefined
}

export const codeOf = (error: unknown): string | null => {
  if (!(error instanceof ApiError)) throw error
  return error.code === 'campaign_not_active' ? error.code : null
}

// @ts-expect-error a number field does not exist
export const wrong = (): unknown => fundproof.donations.get(1)
`

/** Bundles an entry of the package for browsers. Fails if the entry needs modules of Node. */
const bundle = (entry: string) =>
  build({
    stdin: { contents: `export * from '${entry}'`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
  })

/** The Node.js that runs the tests, and the first Node.js in the PATH, which may be older. */
const NODES = [
  process.execPath,
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'))
    .map((path) => join(path, 'node'))
    .filter((path) => existsSync(path))
    .slice(0, 1),
]

let folder = ''
let tarball = ''

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8' })

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fundproof-package-'))
  const packed = await packedClient()
  tarball = packed.tarball
  symlinkSync(join(packed.folder, 'node_modules'), join(folder, 'node_modules'))
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the npm package of the JavaScript client', () => {
  test('holds its code, its types, its README and its licence, and nothing else', () => {
    const files = run('tar', ['-tzf', tarball]).trim().split('\n')
    const others = files.filter((file) => !/^package\/dist\/.*\.(?:js|d\.ts)$/.test(file))
    const named = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist/cjs/package.json', 'package.json']
    expect(others.sort()).toEqual(named.map((name) => `package/${name}`))
    expect(files).toContain('package/dist/verifier/index.js')
  })

  test('has nothing that publint objects to', async () => {
    const file = readFileSync(tarball)
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(file).buffer },
      strict: true,
    })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  test('runs when it is imported, and when it is required', () => {
    const esm = `import { FakeTransport, Fundproof } from 'fundproof'
      import { sign, verify } from 'fundproof/webhooks'
      import { verifyProof } from 'fundproof/verify'
      ${CHECKS}`
    const cjs = `const { FakeTransport, Fundproof } = require('fundproof')
      const { sign, verify } = require('fundproof/webhooks')
      const { verifyProof } = require('fundproof/verify')
      require('fundproof/package.json')
      ;(async () => { ${CHECKS} })()`
    for (const command of NODES) {
      expect(run(command, [write('esm.mjs', esm)])).toBe('completed e1 false ConnectionError\n')
      expect(run(command, [write('cjs.cjs', cjs)])).toBe('completed e1 false ConnectionError\n')
    }
  })

  // The option node16 has the rules of TypeScript 5.7: a CommonJS file cannot import types of ESM.
  test.each([
    { module: 'node16', moduleResolution: 'node16', file: 'consumer.mts' },
    { module: 'node16', moduleResolution: 'node16', file: 'consumer.cts' },
    { module: 'esnext', moduleResolution: 'bundler', file: 'consumer.mts' },
  ])('has types for $file with moduleResolution $moduleResolution', ({ file, ...resolution }) => {
    write(file, CONSUMER)
    const compilerOptions = {
      ...resolution,
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }))
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    expect(run(tsc, ['-p', 'tsconfig.json'])).toBe('')
  })

  test('has a core of less than 60 kB, without hashes', async () => {
    const { outputFiles, metafile } = await bundle('fundproof')
    expect(outputFiles[0]?.contents.byteLength).toBeLessThan(MAX_CORE_BYTES)
    expect(Object.keys(metafile.inputs).filter((path) => path.includes('@noble'))).toEqual([])
  })

  test('imports no module of Node, so that browsers and workers take it', async () => {
    for (const entry of ['fundproof', 'fundproof/webhooks', 'fundproof/verify']) {
      const { metafile } = await bundle(entry)
      const external = Object.values(metafile.inputs)
        .flatMap(({ imports }) => imports)
        .filter((one) => one.external)
      expect(external).toEqual([])
    }
  })
})
