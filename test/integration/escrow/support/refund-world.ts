import type { Context } from '../../../../src/db/context.ts'
import {
  listReturns,
  type PrepareReturns,
  prepareReturns,
  type ReadyTransaction,
} from '../../../../src/domain/campaigns/index.ts'
import type { Return } from '../../../../src/domain/campaigns/refund/list-returns.ts'
import { PageQuery } from '../../../../src/domain/shared/index.ts'
import type { TypedData } from '../../../../src/kernel/ports/signatures.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { keyOf } from '../../../support/test-wallets.ts'
import { createTestReaders } from '../../../support/world.ts'
import { signWith } from '../../milestones/support/verified-world.ts'
import { createFollowedWorld } from './followed-world.ts'

type Options = Parameters<typeof createFollowedWorld>[0]

/**
 * Adds a number to the last byte of a signature: -27 gives 0 or 1, and 8 gives a byte of EIP-155.
 */
export const withLastByte = (signature: string, by: number): string => {
  const last = (Number.parseInt(signature.slice(-2), 16) + by).toString(16).padStart(2, '0')
  return signature.slice(0, -2) + last
}

/** Signs with a key, in the form of the service's input. */
export const signedBy = async (key: number, data: TypedData) => ({
  verifier: keyOf(key).address,
  signature: await signWith(keyOf(key))(data),
})

/** A followed escrow whose service can ask the chain. Its verifiers are the keys 8, 9 and 0. */
export const createRefundWorld = async (options: Options = {}) => {
  const followed = await createFollowedWorld(options)
  const { chain, world, campaignId } = followed
  const clock = createFakeClock()
  const ctx: Context = { ...world.ctx, ...createTestReaders(chain.url), clock }
  const sendReady = async (ready: ReadyTransaction) => {
    for (const call of ready.sendCalls.calls) await followed.send(3, call)
  }
  const returns = async (): Promise<Return[]> =>
    (await listReturns(ctx, campaignId, PageQuery.parse({}))).items
  /** Returns these transfers: two verifiers sign, and any account sends the transaction. */
  const giveBack = async (list: PrepareReturns['list']): Promise<void> => {
    const validUntil = new Date(clock.now().getTime() + 3_600_000)
    const asked = { list, validUntil, signatures: [] }
    const { typedData } = await prepareReturns(ctx, campaignId, asked)
    const signatures = [await signedBy(8, typedData), await signedBy(9, typedData)]
    const { transaction } = await prepareReturns(ctx, campaignId, { ...asked, signatures })
    if (!transaction?.simulated?.ok) throw new Error('The return cannot be sent.')
    await sendReady(transaction)
  }
  return {
    ...followed,
    ...{ ctx, clock, sendReady, returns, giveBack },
    /**
     * Settles as the followed world does. Then sets the service's clock to the time of the newest
     * block.
     */
    async settle(sent?: Promise<unknown>): Promise<void> {
      await followed.settle(sent)
      const block = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', [
        'latest',
        false,
      ])
      clock.set(new Date(Number(block.timestamp) * 1_000))
    },
    /** Returns all transfers that can be returned to the proposed receivers. */
    async giveAllBack(): Promise<void> {
      const due = (await returns()).filter(({ share, returned }) => share !== null && !returned)
      await giveBack(due.map((one) => ({ ...one, receiver: one.receiver ?? one.sender })))
    },
  }
}

export type RefundWorld = Awaited<ReturnType<typeof createRefundWorld>>

/** A cancelled escrow with one plain donor. */
export const createFailedWorld = async (): Promise<RefundWorld> => {
  const world = await createRefundWorld()
  await world.deploy()
  await world.pay(1, 100n)
  await world.settle(world.cancel())
  return world
}
