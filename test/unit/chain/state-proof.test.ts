import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proveHeader } from '../../../src/chain/encoding/header.ts'
import { createProofTools, type ProofTools } from '../../../src/chain/encoding/tools.ts'
import { proveAccount } from '../../../src/chain/state/state-proof.ts'
import { EMPTY_CODE_HASH, EMPTY_ROOT } from '../../../src/verifier/trie.ts'
import { type Anvil, anvilProgram, startAnvil } from '../../support/anvil-process.ts'
import { codeOf } from './support.ts'

const program = anvilProgram()
const FUNDED = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const CONTRACT = '0x00000000000000000000000000000000000000c0'
/** The highest nonce that an account can have (EIP-2681). */
const MAX_NONCE = 2n ** 64n - 2n
const BUSY = '0x00000000000000000000000000000000000000b0'
const UNUSED = '0x00000000000000000000000000000000deadbeef'

type RawProof = { accountProof: string[]; balance: string }

describe.skipIf(program === null)('an account proof (EIP-1186) of a real chain', () => {
  let anvil: Anvil
  let tools: ProofTools
  let stateRoot: string

  const proofOf = (account: string) => anvil.call<RawProof>('eth_getProof', [account, [], 'latest'])

  beforeAll(async () => {
    anvil = await startAnvil(program ?? '', ['--no-mining'])
    tools = await createProofTools()
    // 300 accounts make a trie with branches on several levels.
    for (let i = 0; i < 300; i += 1) {
      const account = `0x${(i + 7_000).toString(16).padStart(40, '0')}`
      await anvil.call('anvil_setBalance', [account, `0x${(i + 1).toString(16)}`])
    }
    await anvil.call('anvil_setCode', [CONTRACT, '0x6001'])
    await anvil.call('anvil_setNonce', [FUNDED, '0x5'])
    await anvil.call('anvil_setNonce', [BUSY, `0x${MAX_NONCE.toString(16)}`])
    await anvil.call('evm_mine')
    const raw = await anvil.call<Record<string, unknown>>('eth_getBlockByNumber', ['latest', false])
    stateRoot = proveHeader(raw, tools).stateRoot
  })
  afterAll(() => anvil?.close())

  test('shows balance, nonce and code', async () => {
    expect(proveAccount(stateRoot, FUNDED, await proofOf(FUNDED), tools)).toEqual({
      balance: 10_000n * 10n ** 18n,
      nonce: 5n,
      codeHash: EMPTY_CODE_HASH,
      storageRoot: EMPTY_ROOT,
    })
    const contract = proveAccount(stateRoot, CONTRACT, await proofOf(CONTRACT), tools)
    expect(contract.codeHash).not.toBe(EMPTY_CODE_HASH)
    const small = `0x${(7_123).toString(16).padStart(40, '0')}`
    expect(proveAccount(stateRoot, small, await proofOf(small), tools).balance).toBe(124n)
  })

  test('shows a nonce that no number holds', async () => {
    const busy = proveAccount(stateRoot, BUSY, await proofOf(BUSY), tools)
    expect(busy).toMatchObject({ nonce: MAX_NONCE, balance: 0n })
  })

  test('shows that an account does not exist', async () => {
    for (let i = 0; i < 40; i += 1) {
      const account = `0x${(i + 0xdead).toString(16).padStart(40, '0')}`
      const empty = proveAccount(stateRoot, account, await proofOf(account), tools)
      expect(empty).toMatchObject({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH })
    }
    expect(proveAccount(EMPTY_ROOT, UNUSED, { accountProof: [] }, tools).balance).toBe(0n)
  })

  test('believes the proof, not what is said beside it', async () => {
    const proof = { ...(await proofOf(FUNDED)), balance: '0x1', nonce: '0x9' }
    expect(proveAccount(stateRoot, FUNDED, proof, tools)).toMatchObject({ nonce: 5n })
  })

  test('refuses the proof of another account, of another state, cut off or altered', async () => {
    const proof = await proofOf(FUNDED)
    const nodes = proof.accountProof
    const refused = (accountProof: unknown, root = stateRoot) =>
      codeOf(() => proveAccount(root, FUNDED, { accountProof }, tools))
    expect(await refused(nodes)).toBe('no error')
    expect(await refused(nodes, `0x${'11'.repeat(32)}`)).toBe('state_forged')
    expect(await refused(nodes.slice(0, -1))).toBe('state_forged')
    expect(await refused([])).toBe('state_forged')
    expect(await refused(nodes.slice(1))).toBe('state_forged')
    expect(await refused((await proofOf(CONTRACT)).accountProof)).toBe('state_forged')
    for (const [index, node] of nodes.entries()) {
      const flipped = node.slice(0, -2) + (node.endsWith('00') ? '01' : '00')
      expect(await refused(nodes.with(index, flipped))).toBe('state_forged')
    }
    for (const form of [null, 'nodes', [7], ['0x'], ['0xzz'], Array(99).fill('0xc0')]) {
      expect(await refused(form)).toBe('bad_response')
    }
  })
})
