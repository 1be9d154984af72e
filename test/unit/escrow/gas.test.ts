import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GAS_LIMITS } from '../../contracts/gas-limits.ts'

const path = join(import.meta.dirname, '../../contracts/gas.json')
const stored = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>

test('each call of the escrow has a limit of gas', () => {
  expect(Object.keys(GAS_LIMITS).sort()).toEqual(Object.keys(stored).sort())
})

// A forge test compares the stored figures with the contract.
test.each(Object.entries(GAS_LIMITS))('%s needs at most %i gas', (name, limit) => {
  expect(Number(stored[name])).toBeLessThanOrEqual(limit)
})
