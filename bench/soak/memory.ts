import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'

/** What a process still has after all its garbage was collected, in MB. */
export type Memory = { residentMb: number; inUseMb: number }

/**
 * The processes of the service import this file before their own. Now and then it collects all
 * garbage and writes what is left, because only this shows a leak within an hour: `gc()` keeps old
 * code for some 20 minutes, and V8 gives empty pages back much later.
 */
const file = process.env.SOAK_MEMORY_FILE
const everyMs = Number(process.env.SOAK_MEMORY_EVERY_MS)
const BYTES_IN_MB = 1_000_000

const write = (path: string): void => {
  const { rss, heapUsed, external } = process.memoryUsage()
  const memory: Memory = {
    residentMb: rss / BYTES_IN_MB,
    inUseMb: (heapUsed + external) / BYTES_IN_MB,
  }
  // The soak reads the file at any time, so the file is replaced as a whole.
  writeFileSync(`${path}.new`, JSON.stringify(memory))
  renameSync(`${path}.new`, path)
}

// Threads of a process import this file too.
if (isMainThread && file !== undefined) {
  const session = new Session()
  session.connect()
  const collect = () => session.post('HeapProfiler.collectGarbage', () => write(file))
  setInterval(collect, everyMs).unref()
}
