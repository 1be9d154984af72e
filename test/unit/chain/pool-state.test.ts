import { describe, expect, onTestFinished, test } from 'vitest'
import { createStateReader } from '../../../src/chain/state/state-reader.ts'
import { createSignatureVerifier } from '../../../src/chain/state/verify-signature.ts'
import { ChainConfig } from '../../../src/config/config.ts'
import { createLog } from '../../../src/kernel/ports/log.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { clientOf, codeOf, lieAbout, startThreeNodes } from './support.ts'

const CHAIN_ID = 31_337
const log = createLog('silent', 'test')
const TARGET = '0x00000000000000000000000000000000000000aa'

const setUp = async () => {
  const chain = await startTestChain()
  const { urls, ...nodes } = await startThreeNodes(chain)
  const client = clientOf({ urls, chain: { id: CHAIN_ID }, graceMs: 2_000, timeoutMs: 10_000 })
  onTestFinished(() => client.close())
  const header = async () => {
    const found = await client.headerAt(await chain.head())
    if (!found) throw new Error('no block')
    return found
  }
  /** Sends 2 ether, mined in the next block. */
  const sendTwo = async () => {
    const { hash } = await chain.send(await chain.signEther(1, TARGET, '2'))
    await chain.mine()
    return { hash, frame: { from: chain.addressOf(1), to: TARGET, value: 2n * 10n ** 18n } }
  }
  /** Makes a verifier of signatures that has no connection yet. */
  const verifier = () => {
    const chain = ChainConfig.parse({ id: CHAIN_ID, name: 'test', rpc: urls })
    const reader = createStateReader({ chain, log })
    onTestFinished(() => reader.close())
    return createSignatureVerifier({ readers: [reader], log })
  }
  const expectNamed = (reason: string) =>
    expect(client.nodes()[0]).toMatchObject({ state: 'distrusted', reason })
  return { chain, client, ...nodes, header, sendTwo, verifier, expectNamed }
}

describe.skipIf(!hasAnvil)('state that is read from three nodes', () => {
  test('proves accounts against the state root, past a node that forges them', async () => {
    const { chain, client, first, header, expectNamed } = await setUp()
    await chain.send(await chain.signEther(1, TARGET, '3'))
    await chain.mine()
    const block = await header()
    const unused = `0x${'ee'.repeat(20)}`
    first.set(
      lieAbout('eth_getProof', (_, method, params, ask) =>
        ask(method, [chain.addressOf(2), [], params[2]]),
      ),
    )
    const accounts = await client.accountProofs(block, [TARGET, chain.addressOf(1), unused])
    expect(accounts.map((account) => [account?.balance, account?.nonce])).toEqual([
      [3n * 10n ** 18n, 0n],
      [expect.any(BigInt), 1n],
      [0n, 0n],
    ])
    expectNamed('forged')
  })

  test('has no proof where no node has the method', async () => {
    const { client, nodes, header } = await setUp()
    const block = await header()
    for (const node of nodes) node.set({ kind: 'rpc-error', methods: ['eth_getProof'] })
    expect(await client.accountProofs(block, [TARGET])).toEqual([null])
  })

  test('traces by whichever method a node has, and says null where none has one', async () => {
    const { client, nodes, sendTwo } = await setUp()
    const { hash, frame } = await sendTwo()
    expect(await client.callTraces([hash])).toMatchObject([frame])
    for (const node of nodes) node.set({ kind: 'rpc-error', methods: ['debug_traceTransaction'] })
    expect(await client.callTraces([hash])).toMatchObject([frame])
    for (const node of nodes) node.set({ kind: 'rpc-error', methods: ['trace_transaction'] })
    expect(await client.callTraces([hash])).toEqual([null])
  })

  test('believes no trace where two nodes with traces contradict each other', async () => {
    const { client, first, second, third, sendTwo, expectNamed } = await setUp()
    const { hash, frame } = await sendTwo()
    const traces = ['debug_traceTransaction', 'trace_transaction']
    first.set(lieAbout('debug_traceTransaction', (trace) => ({ ...trace, value: '0x1' })))
    second.set({ kind: 'rpc-error', methods: traces })
    expect(await codeOf(() => client.callTraces([hash]))).toBe('no_agreement')
    second.heal()
    expect(await client.callTraces([hash])).toMatchObject([frame])
    expectNamed('outvoted')
    second.set({ kind: 'rpc-error', methods: traces })
    third.set({ kind: 'rpc-error', methods: traces })
    first.heal()
    await expect.poll(() => client.callTraces([hash])).toMatchObject([frame])
  })

  test('believes the traces of a quorum, also where one node alone has another method', async () => {
    const { chain, client, first, second, third, sendTwo, expectNamed } = await setUp()
    const { hash, frame } = await sendTwo()
    const methods = ['debug_traceTransaction']
    const lie = { type: 'CALL', from: chain.addressOf(2), to: TOKEN, value: '0x1' }
    first.set({ kind: 'custom', layer: async () => lie }, { methods })
    for (const other of [second, third]) other.set({ kind: 'rpc-error', methods })
    for (const options of [{ agreed: true }, undefined]) {
      expect(await client.callTraces([hash], options)).toMatchObject([frame])
    }
    expectNamed('outvoted')
  })

  test('evidence stays the same where one node adds to it, or leaves a transaction unproven', async () => {
    const { chain, client, first } = await setUp()
    const sent = await chain.send(await chain.signToken(1, TARGET, 5n))
    const head = await chain.mine()
    const { hash } = (await client.headerAt(head)) ?? {}
    if (!hash) throw new Error('no block')
    const request = { blockHash: hash, txHashes: [sent.hash], accounts: [TARGET] }
    const honest = await client.evidence(request)
    expect(honest.inclusions.get(sent.hash)?.transaction).not.toBeNull()
    first.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const result = (await ask(method, params)) as {
          accountProof?: string[]
          transactions?: object[]
        }
        const { accountProof, transactions } = result
        if (accountProof) return { ...result, accountProof: [...accountProof, accountProof[0]] }
        if (!transactions || params[1] !== true) return result
        return { ...result, transactions: transactions.map((one) => ({ ...one, type: '0x55' })) }
      },
    })
    expect(await client.evidence(request)).toEqual(honest)
  })

  test('shows transactions that wait or are mined, and no forged one', async () => {
    const { chain, client, first, expectNamed } = await setUp()
    const waiting = await chain.send(await chain.signToken(1, TARGET, 5n))
    const unknown = `0x${'ab'.repeat(32)}`
    const forged = (found: object) => found && { ...found, nonce: '0x63' }
    first.set(lieAbout('eth_getTransactionByHash', forged))
    const pooled = { hash: waiting.hash, from: waiting.from, nonce: 0 }
    expect(await client.transactionsByHash([waiting.hash, unknown])).toEqual([pooled, null])
    expectNamed('forged')
    await chain.mine()
    expect(await client.transactionsByHash([waiting.hash])).toEqual([pooled])
  })

  test("counts an account's transactions as a quorum does", async () => {
    const { chain, client, first, header } = await setUp()
    const block = await header()
    first.set(lieAbout('eth_getTransactionCount', () => '0x63'))
    const accounts = [chain.addressOf(0), TARGET]
    expect(await client.transactionCounts(block, accounts)).toEqual([6, 0])
  })

  test('one lying node cannot make a contract accept a signature', async () => {
    const { first, second, verifier } = await setUp()
    const accepted = { kind: 'forged-call', result: '0x01' } as const
    const claim = {
      chainId: CHAIN_ID,
      address: TOKEN,
      signature: `0x${'12'.repeat(70)}`,
      message: 'it is mine',
    }
    first.set(accepted)
    expect(await verifier().verifyMessage(claim)).toBeNull()
    // Now two of three nodes lie, so a quorum believes the lie. This shows that the lie was a valid
    // answer.
    second.set(accepted)
    expect(await verifier().verifyMessage(claim)).toMatchObject({ method: 'eip1271' })
  })
})
