import { newId } from '../../src/kernel/formats/ids.ts'
import { CHAIN_ID } from './chain-facts.ts'
import type { World } from './world.ts'

/** Links a wallet to a user directly in the database. Other tests check the real way. */
export const linkWallet = async (
  { ctx }: Pick<World, 'ctx'>,
  userId: string,
  wallet: string,
  { method = 'ecdsa', chainId = CHAIN_ID } = {},
): Promise<void> => {
  await ctx.sql`
    insert into wallet (id, user_id, address, chain_id, method, created_at)
    values (${newId()}, ${userId}, ${wallet.toLowerCase()}, ${chainId}, ${method}, now())`
}
