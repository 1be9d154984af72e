import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/**
 * The processes of the service import this file before their own. It collects the garbage now and
 * then, and writes what is still in use, because only this shows a leak soon.
 */
const file = process.env.SOAK_MEMORY_FILE
const everyMs = Number(process.env.SOAK_MEMORY_EVERY_MS)
const BYTES_IN_MB = 1_000_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const write = (): void => {
  if (file === undefined) return
  // The second collection frees what the first one has only finalized.
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync(file, String((heapUsed + external) / BYTES_IN_MB))
}
// Threads of a process import this file too.
if (isMainThread) setInterval(write, everyMs).unref()
