import { id } from 'ethers'
import { expect, test } from 'vitest'
import { escrowAddress } from '../../../src/chain/escrow/address.ts'
import { refundRoot } from '../../../src/chain/escrow/merkle.ts'
import { type EscrowTerms, packTerms } from '../../../src/chain/escrow/terms.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import type { TypedData } from '../../../src/kernel/ports/signatures.ts'
import { CHAIN_ID, minedAt, startChain, txHash } from '../../support/chain-facts.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createTestCampaign, createUser, TOKEN } from '../../support/world.ts'
import { createTestApi } from '../http/support/api.ts'
import { signWith } from '../milestones/support/verified-world.ts'

const wallet = (index: number) => keyOf(index).address.toLowerCase()
const BLOCK_HASH = id('a block')
/** The service counted this token once. Its settings do not name it any more. */
const OLD_TOKEN = wallet(20)
const LEAVES = [
  { asset: TOKEN, donor: wallet(4), amount: '5' },
  { asset: OLD_TOKEN, donor: wallet(4), amount: '7' },
]

/** The API with an escrow campaign and a verifier with a linked key. By default it has no node. */
const setUp = async (options: Parameters<typeof createTestApi>[0] = {}) => {
  const api = await createTestApi(options)
  const { ctx } = api
  const terms: EscrowTerms = {
    campaign: id('a campaign'),
    ...{ recipient: wallet(7), creator: wallet(7), asset: TOKEN, target: 10n },
    ...{ deadline: 4_000_000_000, activateBy: 4_000_000_000, expiry: 4_000_000_000 },
    ...{ challenge: 86_400, quorum: 1, surplusToRecipient: true },
    verifiers: [wallet(1)],
    milestones: [{ amount: 10n, required: 1 }],
  }
  const packed = packTerms(terms)
  const account = escrowAddress(packed)
  const creator = await createUser(ctx)
  const campaignId = await createTestCampaign(ctx, { creator, account, target: '1' })
  await ctx.sql`insert into campaign_escrow (campaign_id, terms) values (${campaignId}, ${packed})`
  await startChain(ctx)
  const verifier = await api.signIn({ roles: ['verifier'] })
  await linkWallet(api, verifier.userId, wallet(1))
  const path = `/api/campaigns/${campaignId}/refunds`
  return {
    api,
    path,
    verifier,
    campaignId,
    /** The escrow fails in block 1, and the service computes a root. */
    async fail() {
      const fields = { reason: 'cancelled', pool: '5', total: '5', recorded: '0', reasonHash: '0x' }
      await ctx.sql`
        insert into escrow_event
          (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number,
           block_hash, mined_at, settled_at)
        values (${newId()}, ${CHAIN_ID}, ${account}, ${campaignId}, ${txHash('failure')}, 0,
                'Failed', ${ctx.sql.json(fields)}, 1, ${BLOCK_HASH}, ${minedAt(1)}, now())`
      await ctx.sql`
        insert into refund_root
          (campaign_id, index, root, data_hash, block_number, block_hash, leaves, created_at)
        values (${campaignId}, 0, ${await refundRoot(LEAVES)}, ${BLOCK_HASH}, 1, ${BLOCK_HASH},
                ${ctx.sql.json(LEAVES)}, now())`
    },
  }
}

test('shows the refunds of an escrow, and takes a signature of a verifier once', async () => {
  const { api, path, verifier, fail } = await setUp()
  const before = await api.ask('GET', path)
  expect(before.body).toMatchObject({ state: 'funding', root: null, propose: null, needed: 1 })
  await fail()
  const { body } = await api.ask('GET', path)
  const root = body.root as { typedData: TypedData; index: number; root: string }
  expect(body).toMatchObject({
    ...{ state: 'failed', rule: 'fundproof-refunds-1', pool: '5', total: '5' },
    root: { leaves: LEAVES, missing: 1, dataHash: BLOCK_HASH, block: { number: 1 } },
  })
  const signature = await signWith(keyOf(1))(root.typedData)
  const signed = { index: root.index, root: root.root, signature }
  const asked = { token: verifier.token, body: signed }
  const first = await api.ask('POST', `${path}/signatures`, asked)
  expect(first).toMatchObject({
    status: 201,
    body: { success: true, signature: { verifier: keyOf(1).address, missing: 0 } },
  })
  expect(first.headers.get('location')).toBe(path)
  expect((await api.ask('POST', `${path}/signatures`, asked)).status).toBe(200)
  // No node can simulate the proposal, and no node knows whether the escrow has code.
  expect((await api.ask('GET', path)).body).toMatchObject({
    root: { signatures: [{ verifier: keyOf(1).address, signature }] },
    propose: { value: '0', simulated: null },
  })
})

test('names all assets of the root, also one that the service does not count any more', async () => {
  const { api, path, fail } = await setUp()
  await fail()
  const { body } = await api.ask('GET', path)
  expect(body.assets).toContain(toChecksumAddress(OLD_TOKEN))
})

test('shows the root while no node can check the signature of a contract wallet', async () => {
  const { api, path, campaignId, fail } = await setUp({ rpcUrl: 'http://127.0.0.1:9' })
  await fail()
  await api.ctx.sql`
    insert into refund_root_signature (campaign_id, index, root, verifier, signature, created_at)
    values (${campaignId}, 0, ${await refundRoot(LEAVES)}, ${wallet(1)}, '0x11', now())`
  expect(await api.ask('GET', path)).toMatchObject({
    ...{ status: 200, body: { root: { missing: 0 }, propose: null } },
  })
})

test('refuses signatures and refunds with the reason', async () => {
  const { api, path, verifier, fail } = await setUp()
  const sign = (body: object, token?: string) =>
    api.ask('POST', `${path}/signatures`, token === undefined ? { body } : { body, token })
  const valid = { index: 0, root: await refundRoot(LEAVES), signature: '0x11' }
  const { token } = verifier
  expect((await sign(valid)).body.code).toBe('unauthenticated')
  expect((await sign(valid, (await api.signIn()).token)).body.code).toBe('forbidden')
  expect((await sign(valid, token)).body).toMatchObject({ code: 'campaign_not_failed' })
  await fail()
  for (const [changes, code] of [
    [{}, 'invalid_signature'],
    [{ index: 1 }, 'conflict'],
    [{ verifier: keyOf(5).address }, 'forbidden'],
    [{ verifier: `${keyOf(5).address.slice(0, -1)}x` }, 'invalid_input'],
    [{ root: '0x11' }, 'invalid_input'],
    [{ index: -1 }, 'invalid_input'],
    [{ signature: '0x1' }, 'invalid_input'],
    [{ more: 1 }, 'unknown_parameter'],
  ] as const) {
    expect((await sign({ ...valid, ...changes }, token)).body.code).toBe(code)
  }
  const creator = await createUser(api.ctx)
  const plain = await createTestCampaign(api.ctx, { creator, account: wallet(9), target: '1' })
  expect((await api.ask('GET', `/api/campaigns/${plain}/refunds`)).body).toMatchObject({
    code: 'not_escrowed',
  })
  expect((await api.ask('GET', `/api/campaigns/${newId()}/refunds`)).status).toBe(404)
  expect((await api.ask('GET', `/api/donations/${newId()}/refund`)).status).toBe(404)
})
