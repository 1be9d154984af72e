import { describe, expect, it } from 'vitest'
import { createGroupCommit } from '../../../worker/group-commit.ts'

/** All that needs no clock has happened. */
const settled = () => new Promise(setImmediate)

const NEVER_MS = 3_600_000

/** Writes that wait until they are let go, or fail. */
const createStore = () => {
  const groups: number[][] = []
  const pending: { resolve(): void; reject(reason: unknown): void }[] = []
  return {
    groups,
    write: (items: readonly number[]) =>
      new Promise<void>((resolve, reject) => {
        groups.push([...items])
        pending.push({ resolve, reject })
      }),
    next: () => pending.shift(),
  }
}

const OPTIONS = { maxItems: 3, maxTries: 1, retryMs: 0 }

describe('a group commit', () => {
  it('writes what has gathered while the group before was written, no more than fits', async () => {
    const { groups, write, next } = createStore()
    const add = createGroupCommit(write, OPTIONS)
    const added = [1, 2, 3, 4, 5].map(add)
    expect(groups).toEqual([[1]])
    next()?.resolve()
    await added[0]
    expect(groups).toEqual([[1], [2, 3, 4]])
    next()?.resolve()
    await Promise.all(added.slice(1, 4))
    expect(groups).toEqual([[1], [2, 3, 4], [5]])
    next()?.resolve()
    await Promise.all(added)
  })

  it('waits for more where it is told to, but not once its group is full', async () => {
    const { groups, write, next } = createStore()
    const add = createGroupCommit(write, { ...OPTIONS, gatherMs: NEVER_MS })
    const added = [1, 2].map(add)
    expect(groups).toEqual([])
    added.push(add(3), add(4))
    await settled()
    expect(groups).toEqual([[1, 2, 3]])
    next()?.resolve()
    await Promise.all(added.slice(0, 3))
    expect(groups).toHaveLength(1)
    added.push(add(5), add(6))
    await settled()
    expect(groups).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ])
    next()?.resolve()
    await Promise.all(added)
  })

  it('writes what there is when nothing more comes in that time', async () => {
    const { groups, write, next } = createStore()
    const add = createGroupCommit(
      async (items: readonly number[]) => {
        const written = write(items)
        next()?.resolve()
        await written
      },
      { ...OPTIONS, gatherMs: 1 },
    )
    await Promise.all([1, 2].map(add))
    expect(groups).toEqual([[1, 2]])
  })

  it('tries again as often as it may, and tells each of its items when it gives up', async () => {
    let tries = 0
    const failing = async () => {
      tries++
      throw new Error('away')
    }
    const add = createGroupCommit(failing, { ...OPTIONS, maxTries: 3 })
    const results = await Promise.allSettled([1, 2].map(add))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(tries).toBe(6)
  })
})
