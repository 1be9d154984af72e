import { expect, test } from 'vitest'
import { createShortKeeper } from '../../../../src/pages/load/keep-short.ts'

const setUp = () => {
  let now = 0
  let reads = 0
  const keep = createShortKeeper<number>(() => now)
  return {
    wait: (ms: number) => {
      now += ms
    },
    read: (key: string) => keep(key, async () => ++reads),
    fail: (key: string) => keep(key, () => Promise.reject(new Error('no node'))),
  }
}

test('shares a read between visitors of one key for 15 seconds', async () => {
  const { read, wait } = setUp()
  expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual([1, 1, 2])
  wait(14_999)
  expect(await read('a')).toBe(1)
  wait(1)
  expect(await read('a')).toBe(3)
})

test('keeps no failed read', async () => {
  const { read, fail } = setUp()
  await expect(fail('a')).rejects.toThrow('no node')
  expect(await read('a')).toBe(1)
})
