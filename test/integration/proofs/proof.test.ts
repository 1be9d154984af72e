import { describe, expect, onTestFinished, test } from 'vitest'
import { ChainError } from '../../../src/chain/index.ts'
import { startEpoch } from '../../../src/domain/books/index.ts'
import { getDonation, readDonations } from '../../../src/domain/donations/index.ts'
import { verifyProof } from '../../../src/verifier/index.ts'
import { createCheckDonationsJob } from '../../../worker/jobs/check-donations.ts'
import { createStoreProofsJob } from '../../../worker/jobs/store-proofs.ts'
import { createChainSync } from '../../support/chain-sync.ts'
import { databaseTime, passDatabaseTime } from '../../support/database-time.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { serveRpc } from '../../support/rpc-server.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createUser } from '../../support/world.ts'
import { createLoops } from '../chain/support/loops.ts'
import { deploy, ETHER } from '../chain/support/payments.ts'
import { verifyByProgram } from './support/program.ts'
import { ACCOUNT, createProofWorld, failuresOf } from './support/proof-world.ts'

const codeOf = (answer: { status: number; body: Record<string, unknown> }) => [
  answer.status,
  answer.body.code,
]

describe.skipIf(!hasAnvil)('the proof of a donation', () => {
  test('lets a donor check a token donation without the service', async () => {
    const world = await createProofWorld()
    const { chain } = world
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    // More transfers in the same block, so that the tries have more than one node.
    for (let index = 2; index < 6; index++) {
      await chain.send(await chain.signToken(index, ACCOUNT, 1n))
    }
    const id = await world.record(signed, '5')
    await world.finish()
    await world.prove()
    const proof = await world.proofOf(id)
    expect(proof).toMatchObject({
      chainId: 31337,
      donation: {
        id,
        campaignId: world.campaignId,
        account: ACCOUNT,
        amount: '5000000',
        sender: chain.addressOf(1),
        txHash: signed.hash,
        position: 0,
      },
    })
    const verdict = await verifyProof(proof, world.trust)
    expect(failuresOf(verdict)).toEqual([])
    expect(verdict).toMatchObject({ ok: true, level: 'transaction' })
    expect(verdict.checks.map((check) => check.name)).toEqual([
      'format',
      'header',
      'chain',
      'receipt',
      'transaction',
      'payment',
      'level',
      'entries',
      'inclusion',
      'head',
      'signature',
    ])
    expect(JSON.stringify(proof).length).toBeLessThan(12_000)
    expect(JSON.stringify(proof)).not.toContain(world.donor.userId)
  })

  test('lets donors check donations from before and after a restore, which has a key of its own', async () => {
    const world = await createProofWorld()
    const { chain } = world
    const ids: string[] = []
    for (const index of [1, 2]) {
      const signed = await chain.send(await chain.signToken(index, ACCOUNT, 5_000_000n))
      ids.push(await world.record(signed, '5'))
      await world.finish()
      await world.prove()
      await startEpoch(world.api.ctx, 'none', async () => {})
    }
    const proofs = await Promise.all(ids.map(world.proofOf))
    const [one, other] = proofs.map(({ ledger }) => ledger.keys.map(({ kid }) => kid))
    expect(one).not.toEqual(other)
    for (const id of ids) {
      expect(await verifyByProgram(world.api, id, chain.url)).toContain('The donation is proven')
    }
  })

  test('lets a donor check a native donation: recipient, value and who signed it', async () => {
    const world = await createProofWorld()
    const { chain } = world
    const signed = await chain.send(await chain.signEther(2, ACCOUNT, '0.5'))
    const id = await world.record(signed, '0.5', 'ETH')
    await world.finish()
    await world.prove()
    const proof = await world.proofOf(id)
    expect(proof.donation).toMatchObject({ position: -1, sender: chain.addressOf(2) })
    // The first entry is the received amount, the second one its value in the currency of the
    // campaign.
    expect(proof.ledger.entries.map((entry) => entry.kind)).toEqual(['donation', 'conversion'])
    const verdict = await verifyProof(proof, world.trust)
    expect(failuresOf(verdict)).toEqual([])
    const other = { ...proof, donation: { ...proof.donation, sender: chain.addressOf(3) } }
    expect((await verifyProof(other, world.trust)).checks.find((check) => !check.ok)).toMatchObject(
      {
        name: 'payment',
        why: 'The transaction has another signer.',
      },
    )
  })

  test('lets a donor check a payment by a call, by the balances around it', async () => {
    const world = await createProofWorld()
    const { chain } = world
    const router = await deploy(chain, 'router')
    const signed = await router.call(1, 'forward', [ACCOUNT], 2n * ETHER)
    const id = await world.record({ ...signed, from: ACCOUNT }, '2', 'ETH')
    await world.finish()
    await world.prove()
    const proof = await world.proofOf(id)
    expect(proof.donation).toMatchObject({ position: -2, sender: null, amount: `${2n * ETHER}` })
    const verdict = await verifyProof(proof, { ...world.trust, accept: ['balance'] })
    expect(failuresOf(verdict)).toEqual([])
    expect(verdict.checks.find((check) => check.name === 'balance')?.why).toContain(`${2n * ETHER}`)
    // The balance proves less than the transaction. By default only a proven transaction is
    // accepted.
    expect(await verifyProof(proof, world.trust)).toMatchObject({ ok: false, level: 'balance' })
  })

  test('proves what the account kept of a loan, and no more', async () => {
    const chain = await startTestChain()
    const { account, lender, lend, pay, asAccount } = await createLoops(chain)
    const world = await createProofWorld({ chain, account: account.address })
    const lent = [pay(account.address, 10n), pay(account.address, 90n)]
    const signed = await lend([...lent, asAccount(pay(lender.address, 75n))])
    const id = await world.record({ ...signed, from: account.address }, '0.000015')
    await world.finish()
    await world.prove()
    const proof = await world.proofOf(id)
    expect(proof.donation).toMatchObject({ position: 1, amount: '15' })
    expect(await verifyProof(proof, world.trust)).toMatchObject({ ok: true })
    // The log contains 90, and a false ledger could contain 90 too.
    const entries = proof.ledger.entries.map((entry) => ({ ...entry, amount: '90' }))
    const gross = {
      ...proof,
      donation: { ...proof.donation, amount: '90' },
      ledger: { ...proof.ledger, entries },
    }
    const refused = failuresOf(await verifyProof(gross, world.trust))
    expect(refused.find((check) => check.name === 'payment')?.why).toBe(
      'Only 15 of 90 counts: the rest left the account in the same transaction.',
    )
    expect(refused.map((check) => check.name)).not.toContain('entries')
  })

  test('holds before a program that knows neither service nor database', async () => {
    const world = await createProofWorld()
    const { chain, api } = world
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    const id = await world.record(signed, '5')
    await world.finish()
    await world.prove()
    const stdout = await verifyByProgram(api, id, chain.url)
    expect(stdout).toContain('The donation is proven (level transaction).')
    expect(stdout).toContain("trusts you, for the service's key")
  })

  test('is signed by a key that the service publishes', async () => {
    const world = await createProofWorld()
    const signed = await world.chain.send(await world.chain.signToken(1, ACCOUNT, 5n))
    const id = await world.record(signed, '0.000005')
    await world.finish()
    await world.prove()
    const { body } = await world.api.ask('GET', '/.well-known/jwks.json')
    const keys = body.keys as { x: string }[]
    const proof = await world.proofOf(id)
    expect(await verifyProof(proof, { ...world.trust, keys })).toMatchObject({ ok: true })
    const strangers = keys.filter((key) => key.x !== proof.ledger.keys[0]?.x)
    expect(strangers.length).toBeGreaterThan(0)
    const verdict = await verifyProof(proof, { ...world.trust, keys: strangers })
    expect(failuresOf(verdict).map((check) => check.name)).toEqual(['signature'])
  })

  test('is refused until all of it is there, and says what is missing', async () => {
    const world = await createProofWorld()
    const { chain, api } = world
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    const id = await world.record(signed, '5')
    const ask = () => api.ask('GET', `/api/donations/${id}/proof`)
    expect(codeOf(await ask())).toEqual([409, 'proof_not_ready'])
    expect((await ask()).body.error).toMatch(/pending/)
    expect((await ask()).headers.get('retry-after')).toBe('10')
    await chain.mine(3)
    await world.follow()
    expect((await ask()).body.error).toMatch(/not sealed yet/)
    await world.prove()
    expect((await ask()).body.error).toMatch(/not sealed yet/)
    await world.seal()
    expect((await ask()).body.error).toMatch(/not been fetched yet/)
    await world.prove()
    expect((await ask()).status).toBe(200)
    const unknown = await api.ask(
      'GET',
      '/api/donations/0198c0de-0000-7000-8000-000000000000/proof',
    )
    expect(codeOf(unknown)).toEqual([404, 'not_found'])
  })

  test('is ready in a donation and in the list of a campaign as soon as it can be downloaded', async () => {
    const world = await createProofWorld()
    const { chain, api, campaignId } = world
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    const id = await world.record(signed, '5')
    const expectProven = async (isProven: boolean) => {
      const { items } = await readDonations(api.ctx, campaignId, {})
      const { status } = await api.ask('GET', `/api/donations/${id}/proof`)
      const views = [await getDonation(api.ctx, id), ...items.filter((one) => one.id === id)]
      expect([status, ...views.map((one) => one.isProven)]).toEqual([
        isProven ? 200 : 409,
        ...views.map(() => isProven),
      ])
    }
    await expectProven(false)
    await chain.mine(3)
    await world.follow()
    await expectProven(false)
    await world.seal()
    await expectProven(false)
    await world.prove()
    await expectProven(true)
    // A credit that comes back in the same block has new entries, which are not sealed.
    await api.ctx.sql`
      insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id,
        donation_id, transfer_id, generation, block_number, block_hash, created_at)
      select kind, debit_account, credit_account, asset_id, amount, campaign_id,
        donation_id, transfer_id, generation + 1, block_number, block_hash, created_at
      from ledger_entry where donation_id = ${id} and kind = 'donation'`
    await expectProven(false)
    const { text } = await api.ask('GET', `/api/donations/${id}`)
    expect(text).not.toContain('isProven')
  })

  test('fetches the proofs of all donations of a block in one batch', async () => {
    const world = await createProofWorld()
    const { chain } = world
    const ids: string[] = []
    for (let index = 1; index < 6; index++) {
      const signed = await chain.send(await chain.signToken(index, ACCOUNT, 5_000_000n))
      ids.push(await world.record(signed, '5'))
    }
    await world.finish()
    const before = world.sync.client.stats().calls
    await world.prove()
    await world.prove()
    expect(world.sync.client.stats().calls - before).toBe(2)
    for (const id of ids) {
      expect(await verifyProof(await world.proofOf(id), world.trust)).toMatchObject({ ok: true })
    }
  })

  test('never proves by a block that the chain has taken back, and proves by the new one', async () => {
    const world = await createProofWorld()
    const { chain, api } = world
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    const id = await world.record(signed, '5')
    await world.finish()
    await world.prove()
    const old = await world.proofOf(id)
    // The reorg removes a final block: the credit is reversed, and comes back in another block.
    await chain.reorg(3, [[signed, 1]])
    await world.follow()
    const ask = () => api.ask('GET', `/api/donations/${id}/proof`)
    expect(codeOf(await ask())).toEqual([409, 'proof_not_ready'])
    await chain.mine(3)
    await world.follow()
    expect(codeOf(await ask())).toEqual([409, 'proof_not_ready'])
    await world.seal()
    expect(codeOf(await ask())).toEqual([409, 'proof_not_ready'])
    await world.prove()
    const now = await world.proofOf(id)
    expect(now.block.hash).not.toBe(old.block.hash)
    expect(now.ledger.entries.map((entry) => entry.kind)).toEqual([
      'donation',
      'reversal',
      'donation',
    ])
    expect(await verifyProof(now, world.trust)).toMatchObject({ ok: true })
    const verdict = await verifyProof(old, world.trust)
    expect(failuresOf(verdict).map((check) => check.name)).toEqual(['chain'])
  })

  test('proves a donation that was claimed after its payment had been booked as a deposit', async () => {
    const world = await createProofWorld()
    const { chain } = world
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    await world.finish()
    const id = await world.record(signed, '5')
    await createCheckDonationsJob(world.sync).run()
    await world.seal()
    await world.prove()
    const proof = await world.proofOf(id)
    expect(proof.ledger.entries).toMatchObject([
      { kind: 'deposit', debit: 'custody', seal: 1 },
      { kind: 'donation', debit: 'unclaimed', seal: 2 },
    ])
    expect(await verifyProof(proof, world.trust)).toMatchObject({ ok: true })
  })

  test('proves the second claim on a deposit, by the wallet that paid, from custody again', async () => {
    const world = await createProofWorld()
    const { chain, api } = world
    const signed = await chain.send(await chain.signEther(1, ACCOUNT, '1'))
    await chain.mine(3)
    await world.follow()
    const first = await world.record(signed, '1', 'ETH')
    await createCheckDonationsJob(world.sync).run()
    const holder = await createUser(api.ctx)
    await linkWallet(api, holder.userId, chain.addressOf(1))
    const second = await recordGift(api.as(holder), world.campaignId, signed, '1', 'ETH')
    await world.seal()
    await world.prove()
    expect(codeOf(await api.ask('GET', `/api/donations/${first}/proof`))).toEqual([
      409,
      'proof_not_ready',
    ])
    const proof = await world.proofOf(second)
    expect(proof.ledger.entries).toMatchObject([
      { kind: 'donation', debit: 'custody', generation: 1 },
      { kind: 'conversion', generation: 1 },
    ])
    expect(await verifyProof(proof, world.trust)).toMatchObject({ ok: true })
  })

  test('holds only with every entry of the transfer that stands', async () => {
    const world = await createProofWorld()
    const { chain } = world
    const signed = await chain.send(await chain.signEther(1, ACCOUNT, '1'))
    await world.finish()
    const id = await world.record(signed, '1', 'ETH')
    await createCheckDonationsJob(world.sync).run()
    await world.seal()
    await world.prove()
    const proof = await world.proofOf(id)
    const kinds = ['deposit', 'donation', 'conversion']
    expect(proof.ledger.entries.map((entry) => entry.kind)).toEqual(kinds)
    expect(await verifyProof(proof, world.trust)).toMatchObject({ ok: true })
    for (const kind of kinds) {
      const entries = proof.ledger.entries.filter((entry) => entry.kind !== kind)
      const seals = proof.ledger.seals.filter(({ seq }) => entries.some(({ seal }) => seal === seq))
      const verdict = await verifyProof(
        { ...proof, ledger: { ...proof.ledger, entries, seals } },
        world.trust,
      )
      const failed = failuresOf(verdict).map((check) => check.name)
      expect([kind, failed]).toEqual([kind, ['entries']])
    }
  })

  test('is refused for a payment that counts for nothing, and says so', async () => {
    const world = await createProofWorld()
    const { chain, api } = world
    const signed = await chain.send(await chain.signEther(1, ACCOUNT, '0.000000000000000001'))
    const id = await world.record(signed, '0.000000000000000001', 'ETH')
    await world.finish()
    await world.prove()
    const answer = await api.ask('GET', `/api/donations/${id}/proof`)
    expect(codeOf(answer)).toEqual([409, 'proof_not_ready'])
    expect(answer.body.error).toMatch(/is worth nothing/)
  })

  test('asks for no proof of what the chain has taken back for good', async () => {
    const world = await createProofWorld()
    const { chain, api } = world
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    const id = await world.record(signed, '5')
    await world.finish()
    expect(await api.ctx.sql`select from donation_proof`).toHaveLength(1)
    await chain.reorg(3)
    await world.finish()
    expect(await api.ctx.sql`select from donation_proof`).toHaveLength(0)
    const answer = await api.ask('GET', `/api/donations/${id}/proof`)
    expect(codeOf(answer)).toEqual([409, 'proof_not_ready'])
    expect(answer.body.error).toMatch(/reversed/)
  })

  test('takes no proof from a node whose receipts do not fit the block', async () => {
    const honest = await createProofWorld()
    const { chain, sync } = honest
    const liar = await serveRpc(async (method, params) => {
      const result = await chain.call(method, params)
      if (method !== 'eth_getBlockReceipts') return result
      const receipts = structuredClone(result) as { logs: { data: string }[] }[]
      for (const { logs } of receipts) for (const log of logs) log.data = `0x${'f'.repeat(64)}`
      return receipts
    })
    onTestFinished(() => liar.close())
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    const id = await honest.record(signed, '5')
    await honest.finish()
    const lied = createChainSync(honest.api.ctx, { ...sync.chain, rpc: [liar.url] })
    await createStoreProofsJob(lied).run()
    expect(codeOf(await honest.api.ask('GET', `/api/donations/${id}/proof`))).toEqual([
      409,
      'proof_not_ready',
    ])
    await passDatabaseTime(honest.api.ctx, 60_000)
    // With a quorum of one, the proof comes from the honest node.
    const both = createChainSync(honest.api.ctx, {
      ...sync.chain,
      rpc: [liar.url, chain.url],
      quorum: 1,
    })
    await createStoreProofsJob(both).run()
    expect(await verifyProof(await honest.proofOf(id), honest.trust)).toMatchObject({ ok: true })
  })

  test('a node that is away delays the proof, ever longer, and nothing else', async () => {
    const world = await createProofWorld()
    const { chain, sync } = world
    const { ctx } = world.api
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    const id = await world.record(signed, '5')
    await world.finish()
    let tries = 0
    const away = createStoreProofsJob({
      ...sync,
      client: {
        ...sync.client,
        evidence: async () => {
          tries++
          throw new ChainError('timeout', 'The node is away.')
        },
      },
    })
    for (const [index, pauseS] of [15, 30, 60, 120].entries()) {
      const before = await databaseTime(ctx)
      await away.run()
      await away.run()
      const after = await databaseTime(ctx)
      expect(tries).toBe(index + 1)
      const [row] = await ctx.sql<{ due: Date }[]>`select next_try_at as due from donation_proof`
      const triedAt = (row?.due.getTime() ?? 0) - pauseS * 1_000
      expect(triedAt).toBeGreaterThanOrEqual(before)
      expect(triedAt).toBeLessThanOrEqual(after)
      await passDatabaseTime(ctx, pauseS * 1_000)
    }
    await world.prove()
    expect(await verifyProof(await world.proofOf(id), world.trust)).toMatchObject({ ok: true })
  })
})
