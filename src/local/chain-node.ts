import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { findAnvil } from './anvil-binary.ts'
import { saveChain, unpackChain } from './chain-state.ts'
import { type Child, type StopStep, startChild } from './child.ts'
import { freePort, isFree } from './free-port.ts'
import { isAlive, signal, startTimeOf, waitUntilGone } from './processes.ts'
import { callNode } from './rpc.ts'

export const DEV_CHAIN_ID = 31337
/** Anvil's public default: never use its accounts on any other chain. */
export const DEV_MNEMONIC = 'test test test test test test test test test test test junk'

export const NODE_STOP_STEPS: readonly StopStep[] = [{ signal: 'SIGTERM', waitMs: 500 }]

const READY_TIMEOUT_MS = 30_000
const READY_POLL_MS = 20
const READY_CALL_TIMEOUT_MS = 2_000
const MAX_PORT_TRIES = 5
const LEFTOVER_SAVE_TIMEOUT_MS = 10_000
const LEFTOVER_END_MS = 2_000
const NOTE = 'node.json'

/**
 * `finalized` is two epochs behind the head: two blocks, with epochs of one slot. Anvil keeps the
 * newest 64 states, enough for calls and reorgs. The accounts start with more ether than the
 * sandbox gives away, because no block's header would prove a balance that is set later.
 */
const CHAIN_OPTIONS = [
  `--chain-id=${DEV_CHAIN_ID}`,
  `--mnemonic=${DEV_MNEMONIC}`,
  '--balance=1000000000',
  '--hardfork=prague',
  '--slots-in-an-epoch=1',
  '--prune-history=64',
  '--quiet',
]

export type NodeOptions = { log: Log; port?: number | undefined; blockTimeS?: number }

/**
 * Starts Anvil on the saved state, if there is one, and waits until it answers.
 *
 * @throws StartError with Anvil's own reason, or when the port is taken
 */
export const startNode = async (
  folder: string,
  options: NodeOptions,
): Promise<{ node: Child; url: string }> => {
  const program = await findAnvil()
  const state = unpackChain(folder)
  try {
    for (let attempt = 1; attempt <= MAX_PORT_TRIES; attempt++) {
      const port = options.port ?? (await freePort())
      // Checked first: another Anvil on this port would answer instead of ours.
      if (!(await isFree(port))) break
      const url = `http://127.0.0.1:${port}`
      const node = await launch(program, port, state?.path, options)
      noteNode(folder, node.pid, url)
      if (await isReady(node, url)) return { node, url }
      forgetNode(folder)
      const lines = node.lastLines()
      if (options.port === undefined && /address already in use/i.test(lines.join())) continue
      const reason = lines.find((line) => /^error/i.test(line)) ?? lines.at(-1) ?? 'no output'
      throw new StartError(`The development chain did not start: ${reason}.`)
    }
  } finally {
    state?.remove()
  }
  throw new StartError(`The development chain did not start: port ${options.port ?? 0} is taken.`)
}

const launch = (program: string, port: number, state: string | undefined, options: NodeOptions) => {
  const log = options.log.child({ part: 'chain' })
  const args = [
    ...CHAIN_OPTIONS,
    '--host=127.0.0.1',
    `--port=${port}`,
    `--block-time=${options.blockTimeS ?? 1}`,
    ...(state === undefined ? [] : [`--load-state=${state}`]),
  ]
  return startChild({ file: program, args }, (line) => log.debug(line), 'SIGTERM')
}

const isReady = async (node: Child, url: string): Promise<boolean> => {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (node.isRunning()) {
    const answer = callNode(url, 'eth_chainId', [], READY_CALL_TIMEOUT_MS)
    const id = await answer.catch(() => undefined)
    if (Number(id) === DEV_CHAIN_ID && node.isRunning()) return true
    if (Date.now() > deadline) {
      await node.stop(NODE_STOP_STEPS)
      throw new StartError(`The development chain was not ready in ${READY_TIMEOUT_MS / 1000} s.`)
    }
    await sleep(READY_POLL_MS)
  }
  await node.ended
  return false
}

const noteNode = (folder: string, pid: number, url: string): void =>
  writeFileSync(join(folder, NOTE), JSON.stringify({ pid, startTime: startTimeOf(pid), url }))

/** Call it when the node has ended, so that the next start looks for no leftover. */
export const forgetNode = (folder: string): void => rmSync(join(folder, NOTE), { force: true })

/**
 * Ends the node of a killed Fundproof. Saves its chain first, because the file may be older. Only
 * call it while holding the folder's lock.
 *
 * @throws StartError if the node does not end
 */
export const endLeftoverNode = async (folder: string, log: Log): Promise<void> => {
  const note = join(folder, NOTE)
  if (!existsSync(note)) return
  // Written by noteNode.
  const left = JSON.parse(readFileSync(note, 'utf8')) as {
    pid: number
    startTime: string
    url: string
  }
  if (isAlive(left.pid) && startTimeOf(left.pid) === left.startTime) {
    await saveChain(folder, left.url, LEFTOVER_SAVE_TIMEOUT_MS).catch((error: unknown) => {
      log.warn(`A left-over development chain could not be saved: ${messageOf(error)}.`)
    })
    signal(left.pid, 'SIGKILL')
    if (!(await waitUntilGone(left.pid, LEFTOVER_END_MS))) {
      throw new StartError(`An Anvil of an earlier run (pid ${left.pid}) does not end: kill it.`)
    }
    log.warn(`A development chain that an earlier run left behind (pid ${left.pid}) was stopped.`)
  }
  forgetNode(folder)
}
