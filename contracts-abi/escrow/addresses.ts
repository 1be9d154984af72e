import { keccak_256 } from '@noble/hashes/sha3'

export type Hex = `0x${string}`

/** The proxy that deploys by CREATE2 (Arachnid/deterministic-deployment-proxy), on most chains. */
export const DEPLOYMENT_PROXY: Hex = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
export const FACTORY_SALT: Hex = `0x${'00'.repeat(32)}`

export const keccak256 = (data: Hex): Hex =>
  `0x${Buffer.from(keccak_256(bytesOf(data))).toString('hex')}`

/** The addresses of the factory and of the implementation, which its constructor creates. */
export const addressesOf = (creationCode: Hex) => {
  const initCodeHash = keccak256(creationCode)
  const factory = create2Address(DEPLOYMENT_PROXY, FACTORY_SALT, initCodeHash)
  // RLP of the list [creator, 1]: a contract's first creation has nonce 1 (EIP-161).
  const implementation = lastBytes(keccak256(`0xd694${factory.slice(2)}01`))
  return { factory, initCodeHash, implementation }
}

const create2Address = (creator: Hex, salt: Hex, initCodeHash: Hex): Hex =>
  lastBytes(keccak256(`0xff${creator.slice(2)}${salt.slice(2)}${initCodeHash.slice(2)}`))

const lastBytes = (hash: Hex): Hex => `0x${hash.slice(-40)}`

const bytesOf = (data: Hex): Uint8Array => Buffer.from(data.slice(2), 'hex')
