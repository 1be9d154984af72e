import { describe, expect, test, vi } from 'vitest'
import { createLog } from '../../../src/kernel/ports/log.ts'
import { createGroupCommit } from '../../../worker/delivery/group-commit.ts'
import { createLoop, type LoopOptions } from '../../../worker/loop.ts'

const HOUR_MS = 3_600_000

const create = (run: LoopOptions['run'], change: Partial<LoopOptions> = {}) =>
  createLoop({ name: 'test', run, sweepMs: HOUR_MS, log: createLog('silent', 'test'), ...change })

describe('a loop', () => {
  test('runs at once, on each wake-up, and never twice at a time', async () => {
    let [running, most, runs] = [0, 0, 0]
    const loop = create(async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      runs += 1
    })
    loop.start()
    for (let expected = 1; expected <= 5; expected++) {
      await vi.waitFor(() => expect(runs).toBe(expected))
      loop.wake()
      loop.wake()
    }
    await vi.waitFor(() => expect(runs).toBe(6))
    expect(most).toBe(1)
    await loop.stop()
  })

  test('makes one more pass of all wake-ups during a pass', async () => {
    const passes: (() => void)[] = []
    const loop = create(() => new Promise<void>((resolve) => passes.push(resolve)))
    loop.start()
    expect(passes).toHaveLength(1)
    for (let i = 0; i < 10; i++) loop.wake()
    passes[0]?.()
    await vi.waitFor(() => expect(passes).toHaveLength(2))
    passes[1]?.()
    await new Promise(setImmediate)
    expect(passes).toHaveLength(2)
    await loop.stop()
  })

  test('sweeps without wake-ups', async () => {
    const run = vi.fn(async () => {})
    const loop = create(run, { sweepMs: 5 })
    loop.start()
    await vi.waitFor(() => expect(run.mock.calls.length).toBeGreaterThan(3))
    await loop.stop()
  })

  test('waits longer after each failure, also if it is woken, and recovers', async () => {
    const times: number[] = []
    const loop = create(
      async () => {
        times.push(performance.now())
        if (times.length < 4) throw new Error('not yet')
      },
      { minBackoffMs: 20 },
    )
    loop.start()
    const waker = setInterval(() => {
      if (times.length < 4) loop.wake()
    }, 1)
    await vi.waitFor(() => expect(times).toHaveLength(4))
    clearInterval(waker)
    const [first = 0, second = 0, third = 0, fourth = 0] = times
    expect(second - first).toBeGreaterThanOrEqual(18)
    expect(third - second).toBeGreaterThanOrEqual(38)
    expect(fourth - third).toBeGreaterThanOrEqual(78)
    await loop.stop()
  })

  test('stops in bounded time although a pass hangs, and aborts the pass', async () => {
    const onAbort = vi.fn()
    const loop = create(
      (signal) => {
        signal.addEventListener('abort', onAbort)
        return new Promise(() => {})
      },
      { stopMs: 50 },
    )
    loop.start()
    await loop.stop()
    expect(onAbort).toHaveBeenCalledTimes(1)
  })
})

describe('a group commit', () => {
  test('writes what gathers meanwhile as one group', async () => {
    const groups: number[][] = []
    const add = createGroupCommit<number>(
      async (items) => {
        groups.push([...items])
        await new Promise(setImmediate)
      },
      { maxItems: 4, maxTries: 1, retryMs: 1 },
    )
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map(add))
    expect(groups).toEqual([[1], [2, 3, 4, 5], [6, 7]])
  })

  test('tries again, and rejects those whose group fails for good', async () => {
    let calls = 0
    const add = createGroupCommit<string>(
      async ([item]) => {
        calls += 1
        if (item === 'bad' || calls === 1) throw new Error('no')
      },
      { maxItems: 1, maxTries: 3, retryMs: 1 },
    )
    const [good, bad, last] = await Promise.allSettled([add('good'), add('bad'), add('last')])
    expect(good?.status).toBe('fulfilled')
    expect(bad?.status).toBe('rejected')
    expect(last?.status).toBe('fulfilled')
  })
})
