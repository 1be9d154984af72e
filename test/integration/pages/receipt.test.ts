import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hasAnvil } from '../../support/test-chain.ts'
import { ACCOUNT, createProofWorld } from '../proofs/support/proof-world.ts'
import { pagesOf } from './support/test-pages.ts'

describe.skipIf(!hasAnvil)('the receipt of a proven donation', () => {
  test('has the fingerprint of the file that the donor downloads, and never the block hash', async () => {
    const world = await createProofWorld()
    const { chain, api } = world
    const id = await world.record(
      await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n)),
      '5',
    )
    await world.finish()
    await world.prove()
    const { visit } = await pagesOf(api)
    const { html } = await visit(`/d/${id}/receipt`)
    const { text } = await api.ask('GET', `/api/donations/${id}/proof`)
    const hex = createHash('sha256').update(text).digest('hex')
    expect(html.replaceAll(' ', '')).toContain(hex)
    const { block, ledger } = await world.proofOf(id)
    expect(html).toContain(`${new Date().getUTCFullYear()}-${ledger.entries[0]?.id}`)
    expect(html).not.toContain(block.hash)
    expect((await visit(`/d/${id}`)).html).not.toContain(block.hash)
  })
})
