import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import {
  type DonationProof,
  type VerificationResult,
  verifyProof,
} from '../../../src/verifier/index.ts'
import { type Kind, makeProof } from './support/made-proof.ts'

const CHROMIUM = '/usr/bin/chromium'
const hasChromium = existsSync(CHROMIUM)
if (!hasChromium) console.warn('Without /usr/bin/chromium the verifier is not tried in a browser.')

/** A proof, the keys that are trusted and the hash that sources name for its block. */
type Vector = { proof: DonationProof; keys: { x: string }[]; hash: string }

/** Runs as it is in both: the page gets its source. */
const verifyAll = (
  verify: typeof verifyProof,
  vectors: readonly Vector[],
): Promise<VerificationResult[]> =>
  Promise.all(
    vectors.map(({ proof, keys, hash }) =>
      verify(proof, {
        keys,
        accept: ['transaction', 'balance'],
        headers: async () => [{ source: 'a node', hash }],
      }),
    ),
  )

/** A good proof of each kind, and some that are not. */
const makeVectors = async (): Promise<Vector[]> => {
  const vectors: Vector[] = []
  for (const kind of ['token', 'native', 'call'] as Kind[]) {
    const { proof, trust } = await makeProof(kind)
    const good = { proof, keys: [...(trust.keys ?? [])], hash: proof.block.hash }
    const change = (part: Partial<DonationProof>) => ({ ...good, proof: { ...proof, ...part } })
    const [seal, ...seals] = proof.ledger.seals
    if (!seal) throw new Error('A made proof has a seal.')
    const signature = seal.signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    vectors.push(
      good,
      { ...good, keys: [{ x: 'A'.repeat(43) }] },
      { ...good, hash: `0x${'00'.repeat(32)}` },
      change({ index: proof.index + 1 }),
      change({ donation: { ...proof.donation, amount: '1' } }),
      change({ ledger: { ...proof.ledger, seals: [{ ...seal, signature }, ...seals] } }),
      change({ ledger: { ...proof.ledger, entries: [] } }),
    )
  }
  return vectors
}

const PAGE = `
import { verifyProof } from './src/verifier/index.ts'
const verifyAll = ${verifyAll}
const vectors = await (await fetch('/vectors')).json()
const body = JSON.stringify(await verifyAll(verifyProof, vectors))
await fetch('/results', { method: 'POST', body })
`

/** Serves the page and the vectors, and resolves to what the page posts. */
const servePage = (script: string, vectors: readonly Vector[]) => {
  const { promise: posted, resolve } = Promise.withResolvers<string>()
  const server: Server = createServer(async (request, response) => {
    if (request.method === 'POST') resolve(await text(request))
    const html = request.url === '/'
    response.setHeader('content-type', html ? 'text/html' : 'text/javascript')
    if (html) response.end('<script type="module" src="/page.js"></script>')
    else response.end(request.url === '/vectors' ? JSON.stringify(vectors) : script)
  })
  onTestFinished(() => void server.close())
  const port = new Promise<number>((ready) =>
    server.listen(0, '127.0.0.1', () => ready((server.address() as AddressInfo).port)),
  )
  return { port, posted }
}

const openChromium = (url: string): void => {
  const profile = mkdtempSync(join(tmpdir(), 'fundproof-chromium-'))
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`]
  const browser: ChildProcess = spawn(CHROMIUM, [...flags, url], { stdio: 'ignore' })
  onTestFinished(async () => {
    const gone = new Promise((resolve) => browser.once('close', resolve))
    browser.kill('SIGKILL')
    await gone
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
}

test.skipIf(!hasChromium)('says the same of the same proofs in Chromium as in Node', async () => {
  const vectors = await makeVectors()
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: join(import.meta.dirname, '../../..'), loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const { port, posted } = servePage(outputFiles[0]?.text ?? '', vectors)
  openChromium(`http://127.0.0.1:${await port}/`)
  const results = JSON.parse(await posted) as VerificationResult[]
  expect(results).toEqual(JSON.parse(JSON.stringify(await verifyAll(verifyProof, vectors))))
  expect(results.map(({ ok }) => ok)).toEqual(
    vectors.map((_, index) => index % (vectors.length / 3) === 0),
  )
})
