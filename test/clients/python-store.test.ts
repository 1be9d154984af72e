import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { SESSION, startFaultServer } from './support/fault-server.ts'
import { CLIENTS, python, run, testWith } from './support/programs.ts'

const PROCESSES = 8

/** Returns the token store in the README of the Python client. */
const storeOfReadme = (): string => {
  const text = readFileSync(join(CLIENTS, 'python/README.md'), 'utf8')
  const [store = ''] = /^import fcntl$.*?(?=^store = )/ms.exec(text) ?? []
  return store
}

const SIGN_IN = `${storeOfReadme()}
TokenFile("tokens.json").save(Tokens(access_token="old", refresh_token="refresh-1", expires=900))
`

const program = `${storeOfReadme()}
import time
from fundproof import Fundproof

shared = Fundproof(token_store=TokenFile("tokens.json"), on_tokens=lambda new: time.sleep(0.3))
print(shared.sandbox.create_wallet().address)
`

testWith(python)(
  'processes that share a Python session refresh it once',
  async ({ folder, onTestFinished }) => {
    const server = await startFaultServer([SESSION])
    onTestFinished(() => server.close())
    writeFileSync(join(folder, 'sign_in.py'), SIGN_IN)
    writeFileSync(join(folder, 'program.py'), program)
    const env = {
      FUNDPROOF_BASE_URL: server.url(SESSION.name),
      FUNDPROOF_ENVIRONMENT: 'sandbox',
      PYTHONPATH: join(CLIENTS, 'python/src'),
    }
    const start = (file: string) => run(python.command, [file], { cwd: folder, env })
    const { code: saved, output: said } = await start('sign_in.py')
    expect(saved, said).toBe(0)

    const ended = await Promise.all(Array.from({ length: PROCESSES }, () => start('program.py')))

    for (const { code, output } of ended) {
      expect(code, output).toBe(0)
      expect(output).toMatch(/^Zoë ☂ 𝄞$/m)
    }
    const paths = server.of(SESSION.name).map(({ path }) => path)
    expect(paths.filter((path) => path === '/api/auth/refresh')).toHaveLength(1)
  },
)
