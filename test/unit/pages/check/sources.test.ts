import { expect, test } from 'vitest'
import { nodeUrl } from '../../../../src/pages/client/check/sources.ts'

test('takes a node with https, and in a sandbox also a node on the same computer', () => {
  const local = ['http://localhost:8545/', 'http://127.0.0.1:8545/']
  const foreign = ['http://node.example/', 'http://localhost.example/', 'ftp://localhost/', 'x', '']
  for (const mayAskLocal of [true, false]) {
    const taken = (text: string) => nodeUrl(text, mayAskLocal)?.href ?? null
    expect(taken('https://node.example/key')).toBe('https://node.example/key')
    expect(local.map(taken)).toEqual(mayAskLocal ? local : [null, null])
    expect(foreign.map(taken)).toEqual(foreign.map(() => null))
  }
})
