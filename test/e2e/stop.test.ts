import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { halfEnvironment, startHalf } from '../support/halves.ts'
import { newFolder } from '../support/new-folder.ts'
import { isRunning, type NpmRun, npmRun } from '../support/npm-run.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWorld } from '../support/world.ts'

/** Long enough for a start on a busy machine. */
const START_TIMEOUT_MS = 90_000
/** The pause between an answer and the client's next request. */
const PAUSE_MS = 20

type LogLine = { msg?: string; reason?: string }

/** The lines of the log. npm and the banner print other lines between them. */
const logOf = ({ lines }: NpmRun): LogLine[] =>
  lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine)

const stopLines = (run: NpmRun) =>
  logOf(run)
    .filter(({ msg }) => msg?.startsWith('stop'))
    .map(({ msg, reason }) => (reason === undefined ? msg : `${msg}: ${reason}`))

/** Waits for both lines about the stop, because npm may end before its last output is read. */
const bothStopLines = (run: NpmRun) =>
  waitFor(
    'the lines of the stop',
    () => stopLines(run),
    (lines) => lines.length >= 2,
  )

const waitForLine = (run: NpmRun, text: string) =>
  waitFor(
    `the line ${text}`,
    () => run.lines,
    (lines) => lines.some((line) => line.includes(text)),
    START_TIMEOUT_MS,
  )

describe.skipIf(!hasAnvil)('a stop', () => {
  test('SIGTERM to npm start ends the service, Postgres and the chain, and says so', async () => {
    const run = npmRun('start', { DATA_DIR: newFolder(), PORT: '0' })
    await waitForLine(run, 'npm run demo')
    const children = run.children()
    for (const program of ['src/commands/main.ts', 'bin/postgres', 'bin/anvil']) {
      expect(children.map(({ command }) => command)).toContainEqual(
        expect.stringContaining(program),
      )
    }

    process.kill(run.pid, 'SIGTERM')

    expect(await run.exited).toBe(0)
    expect(children.filter(({ pid }) => isRunning(pid))).toEqual([])
    expect(await bothStopLines(run)).toEqual(['stopping: SIGTERM', 'stopped'])
  }, 120_000)

  test('a terminal that closes ends the service, Postgres and the chain', async () => {
    const run = npmRun('start', { DATA_DIR: newFolder(), PORT: '0' })
    await waitForLine(run, 'npm run demo')
    const children = run.children()

    process.kill(-run.pid, 'SIGHUP')

    await waitFor(
      'the end of all processes',
      () => children.filter(({ pid }) => isRunning(pid)),
      (left) => left.length === 0,
    )
    expect(await bothStopLines(run)).toEqual(['stopping: SIGHUP', 'stopped'])
  }, 120_000)

  test.each([
    ['api', '"listening"'],
    ['worker', '"working"'],
  ])('SIGTERM to npm run %s ends the process, and says so', async (script, ready) => {
    const [chain, world] = await Promise.all([startTestChain(), createWorld()])
    const run = npmRun(script, halfEnvironment({ databaseUrl: world.url, rpcUrl: chain.url }))
    await waitForLine(run, ready)
    const children = run.children()
    expect(children).not.toEqual([])

    process.kill(run.pid, 'SIGTERM')

    expect(await run.exited).toBe(0)
    expect(children.filter(({ pid }) => isRunning(pid))).toEqual([])
    expect(await bothStopLines(run)).toEqual(['stopping: SIGTERM', 'stopped'])
  })

  test.each(['api', 'worker'] as const)(
    'SIGTERM ends the %s after the process that read its log has ended',
    async (half) => {
      const [chain, world] = await Promise.all([startTestChain(), createWorld()])
      const process = await startHalf(half, { databaseUrl: world.url, rpcUrl: chain.url })

      process.stopReading()
      process.kill('SIGTERM')

      expect(await process.exited).toBe(0)
    },
  )
})

test('SIGTERM answers the requests that wait at the listener when it comes', async () => {
  const world = await createWorld()
  const api = await startHalf('api', { databaseUrl: world.url, rpcUrl: 'http://127.0.0.1:9' })
  const asked = Array.from({ length: 30 }, () => ({
    said: '',
    socket: connect(api.port, '127.0.0.1'),
  }))
  // While the process is suspended, the kernel still accepts its connections and requests.
  api.kill('SIGSTOP')
  await Promise.all(
    asked.map(async (one) => {
      one.socket.on('data', (part) => {
        one.said += part
      })
      one.socket.on('error', (error) => {
        one.said += error.message
      })
      await once(one.socket, 'connect')
      one.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    }),
  )
  const closed = asked.map(({ socket }) => new Promise((resolve) => socket.on('close', resolve)))
  api.kill('SIGTERM')
  api.kill('SIGCONT')
  await Promise.all(closed)

  expect(asked.map(({ said }) => said.split('\r\n')[0])).toEqual(asked.map(() => 'HTTP/1.1 200 OK'))
  expect(await api.exited).toBe(0)
})

test('SIGTERM ends kept connections by an answer, if their clients ask again soon', async () => {
  const world = await createWorld()
  const api = await startHalf('api', { databaseUrl: world.url, rpcUrl: 'http://127.0.0.1:9' })
  let answers = 0
  /** Sends requests on one connection until it ends. Returns how the connection ended. */
  const useConnection = async (): Promise<string> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    for (;;) {
      const request = get({ agent, port: api.port, host: '127.0.0.1', path: '/healthz' })
      try {
        const [answer] = (await once(request, 'response')) as [IncomingMessage]
        answer.resume()
        await once(answer, 'end')
        answers += 1
        if (answer.headers.connection === 'close') return 'by an answer'
      } catch (error) {
        return String(error)
      }
      await sleep(PAUSE_MS)
    }
  }
  const ends = Array.from({ length: 20 }, useConnection)
  await waitFor(
    'the connections to be kept',
    () => answers,
    (count) => count > 100,
  )
  api.kill('SIGTERM')
  expect(await Promise.all(ends)).toEqual(ends.map(() => 'by an answer'))
  expect(await api.exited).toBe(0)
})
