import { ChainError, type Header } from '../../../src/chain/index.ts'
import { inOrder } from './in-order.ts'
import { type Reconciler, type ScannedBatch, scanBatch } from './scan-batch.ts'

/** Consecutive blocks that are compared and committed together. */
export type ScannedWindow = ScannedBatch & { from: number; to: number; last: Header }

type WindowPlan = {
  from: number
  to: number
  /** The hash of block `from - 1`, if known. */
  parentHash: string | null
  /** The number of blocks in one request. */
  batchBlocks: number
  /** The number of blocks in a window. A multiple of `batchBlocks` avoids a short last batch. */
  windowBlocks: number
}

/** The highest number of batches that are read at the same time. */
const AT_ONCE = 4
/** The number of batches that are read in advance, in addition to one window. */
const SPARE = 4

/**
 * Reads a range of blocks as consecutive windows. Reads the next window in advance, so that the
 * nodes and the database work in parallel.
 *
 * @throws ChainError `block_missing` if a batch does not follow the previous batch or `parentHash`
 */
export async function* readWindows(
  reconciler: Reconciler,
  plan: WindowPlan,
): AsyncGenerator<ScannedWindow> {
  const takeNext = inOrder(batchesOf(plan), ({ from, to }) => scanBatch(reconciler, from, to), {
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
      throw new ChainError(
        'block_missing',
        `Block ${first?.number} does not follow the previous block.`,
      )
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

const emptyBatch = (): ScannedBatch => ({
  headers: [],
  transfers: [],
  escrowEvents: [],
  outflows: [],
  relevant: [],
})

const join = (window: ScannedBatch, batch: ScannedBatch): ScannedBatch => ({
  headers: [...window.headers, ...batch.headers],
  transfers: [...window.transfers, ...batch.transfers],
  escrowEvents: [...window.escrowEvents, ...batch.escrowEvents],
  outflows: [...window.outflows, ...batch.outflows],
  relevant: [...window.relevant, ...batch.relevant],
})
