import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Runs the viewers of one page in a process. They read the stream, and count its updates. */
export type BrowsersJob =
  /** Opens viewers. The answer comes when all have the first parts, or after a timeout. */
  | { kind: 'open'; port: number; viewers: readonly ViewerJob[] }
  /** Waits until all viewers have seen their last text, or until the timeout. */
  | { kind: 'wait'; timeoutMs: number }
  | { kind: 'close' }

export type ViewerJob = {
  path: string
  lang: string
  /** The address that stands for the viewer's network. */
  address: string
  /** A text that comes in the last update. */
  last: string
}

/** The number of updates that the viewers of a language got, with the first parts. */
export type Seen = { lang: string; viewers: number; fewest: number; most: number }
export type BrowsersResult = {
  /**
   * The number of viewers that did not get the first parts, were disconnected, or did not see the
   * last text.
   */
  missing: number
  seen: Seen[]
  bytes: number
}

type Viewer = {
  job: ViewerJob
  socket: Socket
  updates: number
  isDone: boolean
  hasEnded: boolean
}

/** The number of connections to open at once, which is less than the backlog of the listener. */
const TOGETHER = 100
const STEP_MS = 10
const OPEN_TIMEOUT_MS = 30_000
/** The part that each update of the campaign changes. */
const UPDATE = 'event: progress\n'

let viewers: Viewer[] = []
let bytes = 0
/** The buffer of all sockets, so that reading uses little memory. */
const shared = Buffer.alloc(65_536)

const openAll = async (port: number, jobs: readonly ViewerJob[]): Promise<BrowsersResult> => {
  viewers = []
  bytes = 0
  for (let from = 0; from < jobs.length; from += TOGETHER) {
    const opened = jobs.slice(from, from + TOGETHER).map((job) => openOne(port, job))
    viewers.push(...opened)
    await until(() => opened.every(({ updates }) => updates > 0), OPEN_TIMEOUT_MS)
  }
  return resultOf(({ updates }) => updates > 0)
}

const openOne = (port: number, job: ViewerJob): Viewer => {
  const updates = createCounter(UPDATE)
  const last = createCounter(job.last)
  const callback = (length: number): boolean => {
    const piece = shared.subarray(0, length)
    bytes += length
    viewer.updates += updates(piece)
    if (last(piece) > 0) viewer.isDone = true
    return true
  }
  const socket = connect({ port, host: '127.0.0.1', onread: { buffer: shared, callback } })
  const viewer: Viewer = { job, socket, updates: 0, isDone: false, hasEnded: false }
  socket.on('error', () => {})
  socket.on('close', () => {
    viewer.hasEnded = true
  })
  socket.write(
    `GET ${job.path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${job.address}\r\n\r\n`,
  )
  return viewer
}

/** Counts a text in the pieces of a stream, also if it is split between two pieces. */
const createCounter = (text: string): ((piece: Buffer) => number) => {
  const wanted = Buffer.from(text)
  const overlap = wanted.length - 1
  let rest = Buffer.alloc(0)
  return (piece) => {
    const seam = Buffer.concat([rest, piece.subarray(0, overlap)])
    let count = seam.includes(wanted) ? 1 : 0
    for (let at = piece.indexOf(wanted); at >= 0; at = piece.indexOf(wanted, at + overlap)) count++
    rest = Buffer.from(piece.length >= overlap ? piece.subarray(-overlap) : seam.subarray(-overlap))
    return count
  }
}

const until = async (holds: () => boolean, timeoutMs: number): Promise<void> => {
  const deadline = performance.now() + timeoutMs
  while (!holds() && performance.now() < deadline) await delay(STEP_MS)
}

const resultOf = (isFine: (viewer: Viewer) => boolean): BrowsersResult => {
  const byLang = Map.groupBy(viewers, ({ job }) => job.lang)
  return {
    missing: viewers.filter((viewer) => viewer.hasEnded || !isFine(viewer)).length,
    seen: [...byLang].map(([lang, some]) => ({
      lang,
      viewers: some.length,
      fewest: Math.min(...some.map(({ updates }) => updates)),
      most: Math.max(...some.map(({ updates }) => updates)),
    })),
    bytes,
  }
}

const answer = async (job: BrowsersJob): Promise<unknown> => {
  switch (job.kind) {
    case 'open':
      return openAll(job.port, job.viewers)
    case 'wait': {
      await until(() => viewers.every(({ isDone }) => isDone), job.timeoutMs)
      return resultOf(({ isDone }) => isDone)
    }
    case 'close': {
      for (const { socket } of viewers) socket.destroy()
      return {}
    }
  }
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit(0))
  // viewers.ts sends the job.
  process.on('message', (job: BrowsersJob) => {
    void answer(job).then((result) => process.send?.(result))
  })
}
