import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { listen } from '../../support/listen.ts'
import { startService } from '../../support/service.ts'
import { packClient } from './javascript-package.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sharedUrl: string
  }
}

/** A low limit of requests for a key, so that a client reaches the limit soon. */
const LIMITS = { RATE_LIMIT_ANONYMOUS: '0', RATE_LIMIT_USER: '90' }

/**
 * Serves the parts that all test files of a run share: a running service, and the JavaScript
 * package. Each part is made when a file first asks for it, so other runs do not wait for it.
 */
export const setup = async (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-clients-'))
  let service: ReturnType<typeof startService> | undefined
  let tarball: Promise<string> | undefined
  const answer = async (path = ''): Promise<object> => {
    if (path === '/package') {
      tarball ??= packClient(folder)
      return { tarball: await tarball, folder }
    }
    service ??= startService({ CORS_ORIGINS: '*', ...LIMITS })
    const { runtime, output } = await service
    return { url: runtime.apiUrl, nodeUrl: /^Chain .* (http\S+)$/m.exec(output())?.[1] ?? '' }
  }
  const server = createServer((request, response) => {
    answer(request.url).then(
      (shared) => response.end(JSON.stringify(shared)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const { url, close } = await listen(server)
  project.provide('sharedUrl', url)
  return async () => {
    await close()
    const [running] = await Promise.allSettled([service, tarball])
    if (running.status === 'fulfilled') await running.value?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const ask = async (path: string): Promise<unknown> => {
  const response = await fetch(inject('sharedUrl') + path)
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

/** The addresses of the running service and of its development chain. */
export const liveService = async () => (await ask('/service')) as { url: string; nodeUrl: string }

/** The tarball of the JavaScript client, and a folder whose `node_modules` has its content. */
export const packedClient = async () =>
  (await ask('/package')) as { tarball: string; folder: string }
