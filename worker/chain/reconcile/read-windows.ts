import { ChainError, type Header } from '../../../src/chain/index.ts'
import type { ObservedTransfer } from '../../../src/domain/chain/index.ts'
import { inOrder } from './in-order.ts'
import {
  type Flow,
  type RelevantBlock,
  type ScannedBatch,
  type ScanSource,
  scanBatch,
} from './scan-batch.ts'

/** As many consecutive blocks as are compared and committed at once. */
export type ScannedWindow = {
  from: number
  to: number
  headers: Header[]
  last: Header
  transfers: ObservedTransfer[]
  outflows: Flow[]
  relevant: RelevantBlock[]
}

export type WindowPlan = {
  from: number
  to: number
  /** The hash of block `from - 1`, where it is known. */
  parentHash: string | null
  /** Blocks in one request. */
  batchBlocks: number
  /** Blocks in a window; a multiple of the former reads best. */
  windowBlocks: number
}

/** Batches asked for at a time: the node works on one while another is on its way. */
const AT_ONCE = 4
/** Batches that may wait, beyond a whole window, while one is compared. */
const SPARE = 4

/**
 * Reads a range window by window, each the next one's parent, and up to a window ahead of what is
 * being compared, so that the node and the database work at the same time.
 *
 * @throws ChainError `block_missing` where the first block does not follow `parentHash`
 */
export async function* readWindows(
  source: ScanSource,
  plan: WindowPlan,
): AsyncGenerator<ScannedWindow> {
  const takeNext = inOrder(batchesOf(plan), ({ from, to }) => scanBatch(source, from, to), {
    atOnce: AT_ONCE,
    ahead: Math.ceil(plan.windowBlocks / plan.batchBlocks) + SPARE,
  })
  let parentHash = plan.parentHash
  let window: ScannedBatch = emptyBatch()
  for (;;) {
    const reading = takeNext()
    if (!reading) return
    const batch = await reading
    const first = batch.headers[0]
    if (parentHash !== null && first?.parentHash !== parentHash) {
      throw new ChainError('block_missing', `Block ${first?.number} does not follow the last one.`)
    }
    parentHash = batch.headers.at(-1)?.hash ?? null
    window = join(window, batch)
    const last = window.headers.at(-1)
    const full = window.headers.length >= plan.windowBlocks || last?.number === plan.to
    if (!last || !full) continue
    const from = window.headers[0]?.number ?? last.number
    yield { ...window, from, to: last.number, last }
    window = emptyBatch()
  }
}

function* batchesOf(plan: WindowPlan): Generator<{ from: number; to: number }> {
  const size = Math.min(plan.batchBlocks, plan.windowBlocks)
  for (let from = plan.from; from <= plan.to; from += size) {
    yield { from, to: Math.min(plan.to, from + size - 1) }
  }
}

const emptyBatch = (): ScannedBatch => ({ headers: [], transfers: [], outflows: [], relevant: [] })

const join = (one: ScannedBatch, other: ScannedBatch): ScannedBatch => ({
  headers: [...one.headers, ...other.headers],
  transfers: [...one.transfers, ...other.transfers],
  outflows: [...one.outflows, ...other.outflows],
  relevant: [...one.relevant, ...other.relevant],
})
