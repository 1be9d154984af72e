import { getCreateAddress } from 'ethers'
import { describe, expect, test } from 'vitest'
import {
  approveCall,
  cancelCall,
  deployCall,
  donateCall,
  refundCall,
} from '../../../src/escrow/calls.ts'
import type { EscrowTerms } from '../../../src/escrow/terms.ts'
import { verifyProof } from '../../../src/verifier/index.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { deploy } from '../chain/support/payments.ts'
import { createFollowedWorld } from '../escrow/support/followed-world.ts'
import { payAndRelease } from '../escrow/support/wallet-calls.ts'
import { createTestApi } from '../http/support/api.ts'
import { verifyByProgram } from './support/program.ts'
import { failuresOf, proofParts } from './support/proof-world.ts'

const ONE = keyOf(1).address.toLowerCase()
const TWO = keyOf(2).address.toLowerCase()

const setUp = async (terms: Partial<EscrowTerms> = {}) => {
  const api = await createTestApi()
  const world = await createFollowedWorld({ world: api, terms })
  const parts = proofParts(api, world.sync, world.chain)
  return {
    ...world,
    ...parts,
    api,
    async proven(id: string) {
      await parts.seal()
      await parts.prove()
      return parts.proofOf(id)
    },
  }
}

describe.skipIf(!hasAnvil)('the proof of a donation to an escrow', () => {
  test('counts all of a payment whose transaction also releases a milestone', async () => {
    const world = await setUp()
    const id = await world.record(await payAndRelease(world), '70')
    await world.settle()
    expect(await world.state()).toMatchObject({
      raised: '70000000',
      milestones: ['released', 'reached'],
    })
    const proof = await world.proven(id)
    expect(proof).toMatchObject({ escrow: world.packed, donation: { amount: '70000000' } })
    const verdict = await verifyProof(proof, world.trust)
    expect(failuresOf(verdict)).toEqual([])
    expect(verdict).toMatchObject({ ok: true, level: 'transaction' })
    expect(verdict.checks.find(({ name }) => name === 'escrow')?.why).toBe(
      `${world.account} is the escrow with these terms. Its events Refunded and TransferReturned show refunds.`,
    )
  })

  test('counts only the kept part for an account that is no escrow with the named terms', async () => {
    const world = await setUp()
    const id = await world.record(await payAndRelease(world), '70')
    await world.settle()
    const { escrow = '0x', ...without } = await world.proven(id)
    const failed = async (proof: unknown) => failuresOf(await verifyProof(proof, world.trust))
    const why =
      'Only 40000000 of 70000000 counts: the rest left the account in the same transaction.'
    expect(await failed(without)).toEqual([{ name: 'payment', ok: false, why }])
    expect(await failed({ ...without, escrow: `${escrow}00` })).toEqual([
      { name: 'escrow', ok: false, why: 'The account is no escrow with these terms.' },
      { name: 'payment', ok: false, why },
    ])
  })

  test('stays valid after a refund, and the status says refunded', async () => {
    const world = await setUp()
    await world.mine(world.deploy())
    const released = await world.record(await world.donate(1, 60_000_000n), '60')
    const plain = await world.record(await world.pay(2, 10_000_000n), '10')
    await world.settle()
    const before = await world.proven(released)
    await world.mine(world.release(0))
    await world.mine(world.cancel())
    await world.settle(world.refund(ONE))
    expect(await world.state()).toMatchObject({
      donations: ['partly_refunded 34285714', 'completed'],
    })
    expect(await world.proven(released)).toEqual(before)
    expect(await verifyProof(before, world.trust)).toMatchObject({ ok: true })
    expect(await verifyProof(await world.proofOf(plain), world.trust)).toMatchObject({ ok: true })
  })

  test('holds for a payment that its own transaction gives back', async () => {
    // The creator will be the next contract that account 0 deploys.
    const creator = getCreateAddress({ from: keyOf(0).address, nonce: 7 }).toLowerCase()
    const world = await setUp({ creator })
    const { chain, account } = world
    const { address } = await deploy(chain, 'multicall')
    expect(address).toBe(creator)
    const amount = 5_000_000n
    await chain.send(await chain.signToken(1, address, amount))
    const gift = await world.batch(1, address, [
      deployCall(world.packed),
      approveCall(TOKEN, account, amount),
      donateCall(account, { amount, refundTo: ONE }),
      cancelCall(account),
      refundCall(account, ONE),
    ])
    const id = await world.record({ ...gift, from: address }, '5')
    await world.settle()
    expect(await world.state()).toMatchObject({
      campaign: 'cancelled',
      raised: '0',
      donations: ['refunded 5000000'],
    })
    const verdict = await verifyProof(await world.proven(id), world.trust)
    expect(failuresOf(verdict)).toEqual([])
    expect(verdict).toMatchObject({ ok: true })
  })

  test('holds before the program of a stranger when all of it is refunded', async () => {
    const world = await setUp()
    const { api, chain } = world
    await world.deploy()
    await chain.mine()
    const id = await world.record(await world.donate(2, 5_000_000n), '5')
    await world.settle()
    await world.cancel()
    await chain.mine()
    await world.settle(world.refund(TWO))
    await world.proven(id)
    const { body } = await api.ask('GET', `/api/donations?campaignId=${world.campaignId}`)
    expect(body.donations).toMatchObject([
      { status: 'refunded', refundedAmount: { value: 5, currency: 'USDC' } },
    ])
    const stdout = await verifyByProgram(api, id, chain.url)
    expect(stdout).toContain('The donation is proven (level transaction).')
    expect(stdout).toContain(`${world.account} is the escrow with these terms.`)
  })
})
