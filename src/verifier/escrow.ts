import { keccak_256 } from '@noble/hashes/sha3'
import { concat, demand, fromHex, toHex } from './bytes.ts'
import { areDeployable } from './escrow-terms.ts'
import type { DonationProof } from './proof.ts'

/** The contract that deploys all escrows. Its address is a hash of its code (EIP-1014). */
const FACTORY = '0x24f5dcc6b3ecda43ebd46b03609830bc2dd53374'
/** The code that all escrows run. The factory creates it. */
const IMPLEMENTATION = '0x9bb4b0e1723a193a8c57f184333671e67ac0a9da'
const SALT = new Uint8Array(32)

/** The address of the escrow with these packed terms: a minimal proxy (ERC-1167) and the terms. */
export const escrowAddress = (terms: string): string => {
  const code = concat([
    fromHex('0x363d3d373d3d3d363d73'),
    fromHex(IMPLEMENTATION),
    fromHex('0x5af43d82803e903d91602b57fd5bf3'),
    fromHex(terms),
  ])
  const length = new Uint8Array([code.length >> 8, code.length & 0xff])
  const creation = concat([fromHex('0x61'), length, fromHex('0x3d81600a3d39f3'), code])
  const parts = [fromHex('0xff'), fromHex(FACTORY), SALT, keccak_256(creation)]
  return toHex(keccak_256(concat(parts)).subarray(12))
}

/** Throws Refusal unless the account is the escrow with the terms in the proof. */
export const checkEscrow = ({ donation }: DonationProof, terms: string): { why: string } => {
  demand(escrowAddress(terms) === donation.account, 'The account is no escrow with these terms.')
  demand(areDeployable(terms), 'No escrow can have these terms, because they break its rules.')
  return {
    why: `${donation.account} is the escrow with these terms. Its events Refunded and TransferReturned show refunds.`,
  }
}
