import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'

const CHROMIUM = '/usr/bin/chromium'
const ROOT = join(import.meta.dirname, '../..')

/** Whether this machine has Chromium. */
export const hasChromium = existsSync(CHROMIUM)

/**
 * Runs a module in a page of Chromium. Resolves to the JSON text that the module posts to
 * `/results`. The module is bundled with its imports, whose paths are relative to the repository's
 * root. It gets `data` as JSON from `/data`.
 */
export const runInChromium = async (module: string, data: unknown): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: module, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const { port, posted } = servePage(outputFiles[0]?.text ?? '', data)
  openChromium(`http://127.0.0.1:${await port}/`)
  return posted
}

/** Serves the page and its data. Resolves to the text that the page posts. */
const servePage = (script: string, data: unknown) => {
  const { promise: posted, resolve } = Promise.withResolvers<string>()
  const server: Server = createServer(async (request, response) => {
    if (request.method === 'POST') resolve(await text(request))
    const html = request.url === '/'
    response.setHeader('content-type', html ? 'text/html' : 'text/javascript')
    if (html) response.end('<script type="module" src="/page.js"></script>')
    else response.end(request.url === '/data' ? JSON.stringify(data) : script)
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
