import { Worker } from 'node:worker_threads'

/** More drawings than these would wait too long for one another. */
const MAX_WAITING = 20
/** A drawing takes about 0.3 s. After this time something hangs. */
const MAX_MS = 15_000

type Drawing = {
  resolve(png: Uint8Array<ArrayBuffer>): void
  reject(reason: Error): void
}

/**
 * Returns a function that draws SVG as PNG, one picture after the other, in a thread of its own.
 * The thread starts with the first picture, and starts again after an error.
 */
export const createDraw = () => {
  let thread: Worker | undefined
  let waiting: Drawing[] = []

  const start = (): Worker => {
    const started = new Worker(new URL('./draw-thread.ts', import.meta.url))
    const drop = (reason: Error) => {
      if (thread !== started) return
      thread = undefined
      for (const { reject } of waiting) reject(reason)
      waiting = []
    }
    started.on('message', (png: Uint8Array<ArrayBuffer>) => waiting.shift()?.resolve(png))
    started.on('error', drop)
    started.on('exit', () => drop(new Error('The thread that draws pictures has ended.')))
    // The thread must not keep the process alive.
    started.unref()
    return started
  }

  return async (svg: string): Promise<Uint8Array<ArrayBuffer>> => {
    if (waiting.length >= MAX_WAITING) throw new Error('Too many pictures wait to be drawn.')
    thread ??= start()
    const own = thread
    const timer = setTimeout(() => void own.terminate(), MAX_MS)
    const drawn = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      waiting.push({ resolve, reject })
    })
    own.postMessage(svg)
    return drawn.finally(() => clearTimeout(timer))
  }
}
