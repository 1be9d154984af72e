import { createPublicKey } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run as verifyProof } from '../../../src/commands/verify-proof.ts'
import type { DonationProof } from '../../../src/verifier/index.ts'
import { runCommand } from '../../support/command.ts'
import { newFolder } from '../../support/new-folder.ts'
import { startProgram } from '../../support/program.ts'
import { RpcFault, serveRpc } from '../../support/rpc-server.ts'
import { type Kind, makeProof } from './support/made-proof.ts'

/** A folder with a proof, and functions that run the command on files in this folder. */
const setUp = async (kind: Kind = 'token') => {
  const folder = newFolder()
  const { proof } = await makeProof(kind)
  const write = (name: string, content: unknown): string => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(folder, name), text)
    return name
  }
  write('proof.json', proof)
  write('key.json', proof.ledger.keys[0])
  const inFolder = (args: readonly string[]) =>
    args.map((word) => (/\.(json|pem)$/.test(word) ? join(folder, word) : word))
  const run = async (...args: string[]) => {
    const { code, out, errors } = await runCommand(verifyProof, inFolder(args))
    return { code, out: out + errors }
  }
  /** Runs the command in a process without environment variables. */
  const runChild = (...args: string[]) =>
    startProgram('src/commands/verify-proof.ts', {}, inFolder(args)).ended
  return { proof, write, run, runChild }
}

/** A node that knows one block. */
const nodeOf = async (proof: DonationProof, changes: { hash?: string; chainId?: string } = {}) => {
  const node = await serveRpc((method, [number]) => {
    if (method === 'eth_chainId') return changes.chainId ?? '0x5'
    if (method !== 'eth_getBlockByNumber') throw new RpcFault(-32601, 'no such method')
    return number === '0x64' ? { number, hash: changes.hash ?? proof.block.hash } : null
  })
  onTestFinished(() => node.close())
  return node.url
}

test('checks a file offline against a block hash, and prints every step', async () => {
  const { proof, runChild } = await setUp()
  const known = ['--header-hash', proof.block.hash, '--key', 'key.json']
  const { code, out } = await runChild('proof.json', ...known)
  expect(out).toContain('The donation is proven (level transaction).')
  for (const step of 'format header chain receipt transaction payment entries'.split(' ')) {
    expect(out).toMatch(new RegExp(`^ok +${step} `, 'm'))
  }
  expect(out).toMatch(/^trusts you, for the hash of block 100 of chain 5$/m)
  expect(code).toBe(0)
})

test('does not call a donation proven by a key that was not given, and exits 2', async () => {
  const { proof, write, run } = await setUp()
  const block = ['--header-hash', proof.block.hash]
  const { code, out } = await run('proof.json', ...block)
  expect(out).toMatch(/^The payment on the chain is proven \(level transaction\)\. The credit in/m)
  expect(out).toContain('signed by an unknown key')
  expect(out).not.toMatch(/donation is proven|trusts .* key/)
  expect(code).toBe(2)
  // The forged ledger is signed by another key. Here it comes from another proof.
  const made = await makeProof('token')
  const forged = write('forged.json', { ...proof, ledger: made.proof.ledger })
  expect((await run(forged, ...block)).code).toBe(2)
  const refused = await run(forged, ...block, '--key', 'key.json')
  expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/FAILED signature/)])
})

test('checks it against header files: one block, a list, or the answer of a node', async () => {
  const { proof, write, run } = await setUp()
  const block = { number: '0x64', hash: proof.block.hash }
  const answer = { jsonrpc: '2.0', result: block }
  for (const content of [block, [{ number: 5, hash: '0x' }, block], answer]) {
    const blocks = write('blocks.json', content)
    const { code, out } = await run('proof.json', '--key', 'key.json', '--header', blocks)
    expect([code, out]).toEqual([0, expect.stringContaining('is proven')])
  }
  const { code, out } = await run('proof.json', '--header', write('blocks.json', []))
  expect([code, out]).toEqual([1, expect.stringContaining('No source knows block 100.')])
})

test('asks several nodes, and believes them only together', async () => {
  const { proof, run } = await setUp()
  const honest = [await nodeOf(proof), await nodeOf(proof)]
  const lying = await nodeOf(proof, { hash: `0x${'11'.repeat(32)}` })
  const rpc = honest.flatMap((url) => ['--rpc', url])
  const agreed = await run('proof.json', '--key', 'key.json', ...rpc)
  expect([agreed.code, agreed.out]).toEqual([0, expect.stringContaining('is proven')])
  const torn = await run('proof.json', '--rpc', honest[0] ?? '', '--rpc', lying)
  expect([torn.code, torn.out]).toEqual([1, expect.stringMatching(/FAILED chain .*has another/)])
})

test('exits 2 where nothing could be learnt', async () => {
  const { proof, write, run } = await setUp()
  const elsewhere = await nodeOf(proof, { chainId: '0x1' })
  const known = ['--header-hash', proof.block.hash]
  const cases: [string[], RegExp][] = [
    [[], /npm run verify-proof/],
    [['proof.json'], /Name a source/],
    [['missing.json', ...known], /could not be read/],
    [[write('text.json', 'no JSON'), ...known], /is not JSON/],
    [['proof.json', '--rpc', 'http://127.0.0.1:9'], /did not answer/],
    [['proof.json', '--rpc', elsewhere], /another chain/],
    [['proof.json', '--nonsense'], /nonsense/],
    [['proof.json', ...known, '--accept', 'anything'], /no level/],
    [['proof.json', ...known, '--jwks', 'missing.json'], /could not be read/],
  ]
  for (const [args, says] of cases) {
    const { code, out } = await run(...args)
    expect([args, code, out]).toEqual([args, 2, expect.stringMatching(says)])
  }
})

test('exits 1 for a proof that does not hold, even when a node is away', async () => {
  const { proof, write, run } = await setUp()
  const altered = { ...proof, donation: { ...proof.donation, amount: '1' } }
  const file = write('altered.json', altered)
  const offline = await run(file, '--header-hash', proof.block.hash)
  expect([offline.code, offline.out]).toEqual([1, expect.stringMatching(/FAILED payment/)])
  expect((await run(file, '--rpc', 'http://127.0.0.1:9')).code).toBe(1)
  expect((await run(write('garbage.json', [1, 2]), '--header-hash', proof.block.hash)).code).toBe(1)
})

test('takes the key of the service as JWK, PEM or a set, and no other', async () => {
  const { proof, write, run } = await setUp()
  const [key] = proof.ledger.keys
  const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const other = { ...key, x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
  const ask = (...args: string[]) => run('proof.json', '--header-hash', proof.block.hash, ...args)
  expect((await ask('--key', write('key.json', key))).code).toBe(0)
  expect((await ask('--key', write('key.pem', pem))).code).toBe(0)
  expect((await ask('--jwks', write('jwks.json', { keys: [other, key] }))).code).toBe(0)
  const strange = await ask('--jwks', write('jwks.json', { keys: [other] }))
  expect([strange.code, strange.out]).toEqual([1, expect.stringMatching(/FAILED signature/)])
})

test('takes a proof by balances only with --accept balance', async () => {
  const { proof, run } = await setUp('call')
  const known = ['--header-hash', proof.block.hash, '--key', 'key.json']
  const ask = (...args: string[]) => run('proof.json', ...known, ...args)
  expect((await ask()).code).toBe(1)
  const accepted = await ask('--accept', 'balance')
  expect([accepted.code, accepted.out]).toEqual([0, expect.stringContaining('level balance')])
})
