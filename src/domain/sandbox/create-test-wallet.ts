import { createECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3'
import { toChecksumAddress } from '../../kernel/address.ts'

/** A new wallet: returned once, stored nowhere. `address` is EIP-55. */
export type TestWallet = { address: string; privateKey: string }

/**
 * Makes a secp256k1 key and its address: the last 20 bytes of the Keccak-256 of the uncompressed
 * public key without its first byte (Yellow Paper, appendix F).
 */
export const createTestWallet = (): TestWallet => {
  const pair = createECDH('secp256k1')
  const publicKey = pair.generateKeys()
  const hash = Buffer.from(keccak_256(publicKey.subarray(1)))
  return {
    address: toChecksumAddress(`0x${hash.toString('hex', 12)}`),
    privateKey: `0x${pair.getPrivateKey('hex').padStart(64, '0')}`,
  }
}
