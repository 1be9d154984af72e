import { getCreate2Address, id, keccak256 } from 'ethers'
import {
  escrow,
  escrowCode,
  escrowCreationCode,
  escrowFactory,
  type Hex,
} from '../../contracts-abi/index.ts'

/** The contract that deploys escrows. It has the same address and code on every chain. */
export const FACTORY: string = escrowFactory.address
export const FACTORY_CODE_HASH: string = escrowFactory.codeHash

/** The contract whose code all escrows run. */
export const IMPLEMENTATION: string = escrowFactory.implementation
export const IMPLEMENTATION_CODE_HASH: string = escrow.codeHash

/** The address of the escrow of packed terms, in lower case, deployed or not. */
export const escrowAddress = (packed: Hex): string =>
  getCreate2Address(
    FACTORY,
    escrowFactory.escrowSalt,
    keccak256(escrowCreationCode(packed)),
  ).toLowerCase()

/** The Keccak-256 of the code at the address of the deployed escrow. */
export const escrowCodeHash = (packed: Hex): string => keccak256(escrowCode(packed))

/**
 * The hash that names a campaign in the terms of its escrow. Hashes the campaign's web address and
 * a random text, so that no person can know the escrow's address before the campaign has it. The
 * random text is not stored.
 */
export const campaignHash = (publicUrl: string, campaignId: string, random: string): string =>
  id(`${publicUrl.replace(/\/$/, '')}/campaigns/${campaignId}#${random}`)
