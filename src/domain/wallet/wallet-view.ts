import { toChecksumAddress } from '../../kernel/address.ts'

export type WalletRow = {
  id: string
  userId: string
  address: string
  chainId: number
  method: 'ecdsa' | 'eip1271' | 'eip6492'
  createdAt: Date
}

/** A wallet that its user has proven to hold. */
export type WalletView = {
  id: string
  /** EIP-55. */
  address: string
  /** Where it was proven: for a contract wallet the only chain that it is known on. */
  chainId: number
  method: WalletRow['method']
  createdAt: Date
}

export const toWalletView = (row: WalletRow): WalletView => ({
  id: row.id,
  address: toChecksumAddress(row.address),
  chainId: row.chainId,
  method: row.method,
  createdAt: row.createdAt,
})
