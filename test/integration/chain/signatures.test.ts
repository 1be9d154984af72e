import { concat, Interface, Signature, toBeHex, Wallet } from 'ethers'
import { describe, expect, test } from 'vitest'
import { testWallet } from '../../../contracts-abi/test-contracts.ts'
import type { TypedData } from '../../../src/kernel/ports/signatures.ts'
import { serveRpc } from '../../support/rpc-server.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import {
  deploy,
  deployWallet,
  keyOf,
  planWallet,
  signTogether,
} from '../../support/test-wallets.ts'
import { createTestVerifier } from '../../support/world.ts'

const chainId = 31337
const message = 'I hold this account.'
const key = keyOf(1)
const typedData = {
  domain: { name: 'Fundproof', version: '1', chainId },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Milestone: [
      { name: 'milestoneId', type: 'string' },
      { name: 'status', type: 'string' },
    ],
  },
  primaryType: 'Milestone',
  message: { milestoneId: 'm1', status: 'completed' },
} satisfies TypedData
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

describe('a key', () => {
  const verifier = () => createTestVerifier()

  test('signs a message and typed data, with its address in any case, and no node is asked', async () => {
    const signature = await key.signMessage(message)
    for (const address of [key.address, key.address.toLowerCase()]) {
      expect(await verifier().verifyMessage({ chainId, address, message, signature })).toEqual({
        method: 'ecdsa',
        blockNumber: null,
      })
    }
    const { EIP712Domain: _, ...types } = typedData.types
    const typed = await key.signTypedData(typedData.domain, types, typedData.message)
    const asked = { chainId, address: key.address, signature: typed }
    expect(await verifier().verifyTypedData({ ...asked, typedData })).toMatchObject({
      method: 'ecdsa',
    })
    const other = { ...typedData, message: { ...typedData.message, status: 'rejected' } }
    expect(await verifier().verifyTypedData({ ...asked, typedData: other })).toBeNull()
  })

  test('refuses what is not its signature', async () => {
    const signature = await key.signMessage(message)
    const { r, s, v } = Signature.from(signature)
    const mirrored = concat([r, toBeHex(ORDER - BigInt(s), 32), toBeHex(v === 27 ? 28 : 27)])
    const wrong: Record<string, string> = {
      'of another key': await Wallet.createRandom().signMessage(message),
      'of another message': await key.signMessage(`${message} `),
      'mirrored, with a high s': mirrored,
      'cut off': signature.slice(0, -2),
      'with more behind it': `${signature}00`,
      'of zeros': `0x${'00'.repeat(65)}`,
      empty: '0x',
      'no hex': 'signature',
      'of half a byte': '0x1',
      huge: `0x${'11'.repeat(40_000)}`,
      'ERC-6492 suffix and nothing else': `0x${'6492'.repeat(16)}`,
    }
    for (const [what, bad] of Object.entries(wrong)) {
      const asked = { chainId, address: key.address, message, signature: bad }
      expect(await verifier().verifyMessage(asked), what).toBeNull()
    }
  })
})

describe.runIf(hasAnvil)('a contract wallet', () => {
  test('signs with as many owners as it wants, at a block that is named', async () => {
    const chain = await startTestChain()
    const verifier = createTestVerifier(chain.url)
    const address = await deployWallet(chain, [1, 2, 3], 2)
    const sign = (owners: readonly number[], text = message) =>
      signTogether(owners, (one) => one.signMessage(text))
    const check = async (signature: string) =>
      verifier.verifyMessage({ chainId, address, message, signature })

    expect(await check(await sign([1, 3]))).toEqual({
      method: 'eip1271',
      blockNumber: await chain.head(),
    })
    expect(await check(await sign([1]))).toBeNull()
    expect(await check(await sign([1, 4]))).toBeNull()
    const once = await key.signMessage(message)
    expect(await check(concat([once, once]))).toBeNull()
    expect(await check(await sign([1, 3], 'another message'))).toBeNull()
    expect(await check('0x')).toBeNull()
    const elsewhere = { chainId: 1, address, message, signature: await sign([1, 3]) }
    expect(await verifier.verifyMessage(elsewhere)).toBeNull()
  })

  test('signs no longer with an owner that it has removed', async () => {
    const chain = await startTestChain()
    const verifier = createTestVerifier(chain.url)
    const address = await deployWallet(chain, [1], 1)
    const asked = { chainId, address, message, signature: await key.signMessage(message) }
    expect(await verifier.verifyMessage(asked)).toMatchObject({ method: 'eip1271' })
    const data = new Interface(testWallet.abi).encodeFunctionData('setOwner', [key.address, false])
    await chain.send(await chain.sign(0, { to: address, data }))
    await chain.mine()
    expect(await verifier.verifyMessage(asked)).toBeNull()
  })

  test('signs before it is deployed, and after with the same signature', async () => {
    const chain = await startTestChain()
    const verifier = createTestVerifier(chain.url)
    const { address, wrap, deployNow } = await planWallet(chain, [1, 2], 2)
    const inner = await signTogether([1, 2], (one) => one.signMessage(message))
    const check = (signature: string, account = address) =>
      verifier.verifyMessage({ chainId, address: account, message, signature })

    expect(await check(wrap(inner))).toMatchObject({ method: 'eip6492' })
    expect(await chain.call('eth_getCode', [address, 'latest'])).toBe('0x')
    expect(await check(inner)).toBeNull()
    expect(await check(wrap(await key.signMessage(message)))).toBeNull()
    expect(await check(wrap(inner), keyOf(9).address)).toBeNull()
    await deployNow()
    expect(await check(wrap(inner))).toMatchObject({ method: 'eip1271' })
    expect(await check(inner)).toMatchObject({ method: 'eip1271' })
  })

  test('is refused when it reverts, runs out of gas, answers too little, too much or nothing', async () => {
    const chain = await startTestChain()
    const verifier = createTestVerifier(chain.url)
    const signature = await key.signMessage(message)
    const bodies: Record<string, string> = {
      reverts: '60006000fd',
      'loops for ever': '5b600056',
      'runs an invalid instruction': 'fe',
      'answers nothing': '00',
      'answers four bytes': '631626ba7e60e01b60005260046000f3',
      'answers the magic value in the wrong place': '631626ba7e60005260206000f3',
      'answers true': '600160005260206000f3',
      'answers 500 kB of zeros': '6207a1206000f3',
    }
    for (const [what, code] of Object.entries(bodies)) {
      const address = await deploy(chain, creationOf(code))
      expect(
        await verifier.verifyMessage({ chainId, address, message, signature }),
        what,
      ).toBeNull()
    }
    const yes = await deploy(chain, creationOf('631626ba7e60e01b60005260206000f3'))
    expect(
      await verifier.verifyMessage({ chainId, address: yes, message, signature }),
    ).toMatchObject({ method: 'eip1271' })
  })

  test('that EIP-7702 made of a key signs with the key, and with its code', async () => {
    const chain = await startTestChain()
    const verifier = createTestVerifier(chain.url)
    const code = await deploy(chain, creationOf('631626ba7e60e01b60005260206000f3'))
    await chain.call('anvil_setCode', [key.address, `0xef0100${code.slice(2)}`])
    const asked = { chainId, address: key.address, message }
    const own = await key.signMessage(message)
    expect(await verifier.verifyMessage({ ...asked, signature: own })).toMatchObject({
      method: 'ecdsa',
    })
    const other = await keyOf(2).signMessage(message)
    expect(await verifier.verifyMessage({ ...asked, signature: other })).toMatchObject({
      method: 'eip1271',
    })
  })
})

test('says that it cannot tell, and not that it is wrong, when no node answers for a contract', async () => {
  const server = await serveRpc(() => '0x7a69')
  await server.close()
  const verifier = createTestVerifier(server.url)
  const asked = { chainId, address: keyOf(2).address, message }
  await expect(
    verifier.verifyMessage({ ...asked, signature: await key.signMessage(message) }),
  ).rejects.toMatchObject({ code: 'unavailable' })
  const own = await keyOf(2).signMessage(message)
  expect(await verifier.verifyMessage({ ...asked, signature: own })).not.toBeNull()
})

/** Returns creation code that deploys this runtime code. */
const creationOf = (runtime: string): string =>
  `0x60${(runtime.length / 2).toString(16).padStart(2, '0')}8060095f395ff3${runtime}`
