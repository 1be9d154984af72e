import { headerHash } from './encode.ts'
import { asJson, hex, type Json, type Layer } from './fault.ts'

type Tag = 'latest' | 'finalized'

/** Shows another block for a tag. All other answers are honest. */
export const tagLayer =
  (tag: Tag, show: (honest: Json, at: (block: number) => Promise<Json>) => unknown): Layer =>
  async (method, params, ask) => {
    const result = await ask(method, params)
    if (method !== 'eth_getBlockByNumber' || params[0] !== tag) return result
    const at = async (block: number) =>
      asJson(await ask('eth_getBlockByNumber', [hex(block), false])) ?? {}
    return show(asJson(result) ?? {}, at)
  }

/** Changes a header, which then has a correct hash but belongs to no chain. */
export const invent = (header: Json, change: Json): Json => {
  const fields: Json = { ...header, extraData: '0xdead', ...change }
  return { ...fields, hash: headerHash(fields) }
}

const above = (header: Json, blocks: number): string => hex(Number(header.number) + blocks)

/** Lies about the newest and the final block, by name. The hash of each answer fits its header. */
export const HEAD_LIES: Readonly<Record<string, Layer>> = {
  'a newest block 50 above the chain': tagLayer('latest', (head) =>
    invent(head, { number: above(head, 50) }),
  ),
  'a newest block a thousand million above the chain': tagLayer('latest', (head) =>
    invent(head, { number: above(head, 1_000_000_000) }),
  ),
  'a newest block of tomorrow': tagLayer('latest', (head) =>
    invent(head, { number: above(head, 9), timestamp: above({ number: head.timestamp }, 86_400) }),
  ),
  'an invented child of the newest block': tagLayer('latest', (head) =>
    invent(head, { number: above(head, 1), parentHash: head.hash }),
  ),
  'another newest block of the same number': tagLayer('latest', (head) => invent(head, {})),
  'an invented parent of the newest block': tagLayer('latest', (head) =>
    invent(head, { number: above(head, -1) }),
  ),
  'an invented newest block four below the chain': tagLayer('latest', (head) =>
    invent(head, { number: above(head, -4) }),
  ),
  'no newest block': tagLayer('latest', () => null),
  'a final block above its newest block': tagLayer('finalized', (final) =>
    invent(final, { number: above(final, 1_000) }),
  ),
  'another final block of the same number': tagLayer('finalized', (final) => invent(final, {})),
  'no final block': tagLayer('finalized', () => null),
  'block 1 as final': tagLayer('finalized', (_, at) => at(1)),
}
