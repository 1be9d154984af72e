import { describe, expect, test } from 'vitest'
import { createGroupCommit } from '../../../worker/delivery/group-commit.ts'

/** A store whose writes wait until the test resolves or rejects them. */
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
  test('writes what has gathered while the group before was written, no more than fits', async () => {
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

  test('tries again as often as it may, and tells each of its items when it gives up', async () => {
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
