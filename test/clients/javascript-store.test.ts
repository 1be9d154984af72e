import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { listen } from '../support/listen.ts'
import { CLIENTS, node, run, testWith } from './support/programs.ts'

const PROCESSES = 8
const CALLS = 10
/** The number of calls for which an access token is valid. */
const LIFE = 15

const program = `
import { tokenStore } from './token-store.mjs'
import { Fundproof } from '${CLIENTS}/javascript/src/index.ts'

const client = new Fundproof({ tokenStore, appInfo: 'pid/' + process.pid })
for (let count = 0; count < ${CALLS}; count++) await client.chains.list()
console.log('done')
`

/** Returns the token store in the README. */
const storeOfReadme = (): string => {
  const readme = readFileSync(join(CLIENTS, 'javascript/README.md'), 'utf8')
  const [, store = ''] = /^```js token-store\.mjs\n(.*?)^```$/ms.exec(readme) ?? []
  return store
}

/**
 * A session with the rule of the service: if a used refresh token comes again with another
 * idempotency key, the session ends. Kills the process that sends the first refresh, after the
 * refresh is done and before its answer.
 */
const startSession = async () => {
  const answers = new Map<string, { refreshToken: string; tokens: object }>()
  const killed: number[] = []
  const problems: string[] = []
  let [generation, calls] = [0, 0]

  const refresh = (key: string, refreshToken: string): object => {
    const known = answers.get(key)
    if (known?.refreshToken === refreshToken) return known.tokens
    if (refreshToken !== `refresh-${generation}`) problems.push(`reused ${refreshToken}`)
    generation += 1
    calls = 0
    const tokens = { accessToken: `access-${generation}`, refreshToken: `refresh-${generation}` }
    answers.set(key, { refreshToken, tokens: { ...tokens, expires: 900 } })
    return { ...tokens, expires: 900 }
  }
  const answer = async (request: IncomingMessage): Promise<[number, object] | null> => {
    const { url, headers } = request
    const body = await text(request)
    if (url === '/api/auth/refresh') {
      const tokens = refresh(String(headers['idempotency-key']), JSON.parse(body).refreshToken)
      if (killed.length > 0) return [200, { success: true, tokens }]
      const pid = Number(/pid\/(\d+)/.exec(headers['user-agent'] ?? '')?.[1])
      killed.push(pid)
      process.kill(pid, 'SIGKILL')
      return null
    }
    const isGood = headers.authorization === `Bearer access-${generation}` && ++calls <= LIFE
    if (isGood && generation > 0) return [200, { success: true, chains: [] }]
    return [401, { success: false, error: 'Ended.', code: 'invalid_token' }]
  }
  const server = createServer((request, response) => {
    answer(request).then((made) => {
      if (made === null) response.destroy()
      else response.writeHead(made[0]).end(JSON.stringify(made[1]))
    })
  })
  const refreshes = () => ({ generation, problems, killed: killed.length })
  return { ...(await listen(server)), refreshes }
}

testWith(node)(
  'eight processes share the session of the store in the README, also if one of them is killed',
  async ({ folder, onTestFinished }) => {
    const session = await startSession()
    onTestFinished(() => session.close())
    const tokens = { accessToken: 'access-0', refreshToken: 'refresh-0' }
    writeFileSync(join(folder, 'tokens.json'), JSON.stringify(tokens))
    writeFileSync(join(folder, 'token-store.mjs'), storeOfReadme())
    writeFileSync(join(folder, 'program.mjs'), program)
    const env = { FUNDPROOF_BASE_URL: session.url, FUNDPROOF_ENVIRONMENT: 'sandbox' }

    const ended = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        run(node.command, ['program.mjs'], { cwd: folder, env }),
      ),
    )

    const { generation, problems, killed } = session.refreshes()
    const failed = ended.filter(({ output }) => !output.endsWith('done\n'))
    expect(
      failed.map(({ output }) => output.trim()),
      'only the killed one',
    ).toEqual([''])
    expect({ problems, killed }).toEqual({ problems: [], killed: 1 })
    expect(generation).toBeGreaterThanOrEqual(Math.floor(((PROCESSES - 1) * CALLS) / LIFE))
  },
)
