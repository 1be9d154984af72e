import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEPLOYMENT_PROXY } from '../../contracts-abi/escrow/addresses.ts'
import { escrow, escrowFactory } from '../../contracts-abi/escrow/index.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const page = read('docs/escrow-audit.md')

test('docs/escrow-audit.md names only tests of the contract that exist', () => {
  const named = [...page.matchAll(/`((?:test|invariant)[A-Z]\w+)`/g)].map(([, name]) => name)
  const sources = globSync('test/contracts/src/*.t.sol', { cwd: ROOT }).map(read).join('\n')
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !sources.includes(`function ${name}(`))).toEqual([])
})

test('docs/escrow-audit.md has the line counts of the contracts', () => {
  const files = globSync('contracts-abi/escrow/*.sol', { cwd: ROOT })
  expect(files.length).toBe(5)
  for (const file of files) {
    const lines = read(file).split('\n').slice(0, -1)
    const code = lines.filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line))
    const name = file.split('/').at(-1)
    expect(page).toContain(`| \`${name}\` | ${lines.length} | ${code.length} |`)
  }
})

test('docs/escrow-audit.md has the addresses, hashes and sizes of the stored code', () => {
  const sizeOf = (code: string) => `${code.length / 2 - 1} bytes | `
  const { address, codeHash, initCodeHash, implementation, deployedBytecode } = escrowFactory
  for (const value of [
    ...[DEPLOYMENT_PROXY, address, initCodeHash, implementation],
    `${sizeOf(deployedBytecode)}\`${codeHash}`,
    `${sizeOf(escrow.deployedBytecode)}\`${escrow.codeHash}`,
  ]) {
    expect(page).toContain(value)
  }
})
