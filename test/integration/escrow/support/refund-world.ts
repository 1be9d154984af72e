import { vetoRootCall } from '../../../../src/chain/escrow/calls.ts'
import { refundRootVetoTypedData } from '../../../../src/chain/escrow/typed-data.ts'
import type { Context } from '../../../../src/domain/context.ts'
import type { ReadyTransaction } from '../../../../src/domain/escrow/index.ts'
import type { RootView } from '../../../../src/domain/escrow/refund/index.ts'
import {
  checkRootSignature,
  getRefunds,
  signRoot,
} from '../../../../src/domain/escrow/refund/index.ts'
import { createComputeRefundsJob } from '../../../../worker/jobs/compute-refunds.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { linkWallet } from '../../../support/linked-wallet.ts'
import { createTestMetrics } from '../../../support/metrics.ts'
import { keyOf } from '../../../support/test-wallets.ts'
import { createTestReaders, createUser, TEST_CHAIN } from '../../../support/world.ts'
import { signWith } from '../../milestones/support/verified-world.ts'
import { createFollowedWorld } from './followed-world.ts'

type Options = Parameters<typeof createFollowedWorld>[0]

/** Accounts of the keys that the terms name as verifiers, and one that they do not name. */
const VERIFIERS = [8, 9, 0]
export const STRANGER = 4

/** Adds a number to the last byte of a signature: -27 makes it 0 or 1, and 8 a byte of EIP-155. */
export const withLastByte = (signature: string, by: number): string => {
  const last = (Number.parseInt(signature.slice(-2), 16) + by).toString(16).padStart(2, '0')
  return signature.slice(0, -2) + last
}

/** A followed escrow whose refunds the service computes, with verifiers who have linked wallets. */
export const createRefundWorld = async (options: Options = {}) => {
  const followed = await createFollowedWorld(options)
  const { chain, world, campaignId, account, terms } = followed
  const clock = createFakeClock()
  const ctx: Context = { ...world.ctx, ...createTestReaders(chain.url), clock }
  const users = await Promise.all(
    [...VERIFIERS, STRANGER].map(async (key) => {
      const user = await createUser(ctx, ['verifier'])
      await linkWallet(world, user.userId, keyOf(key).address)
      return { key, ctx: { ...ctx, actor: user } }
    }),
  )
  const asVerifier = (key: number): Context => {
    const user = users.find((one) => one.key === key)
    if (!user) throw new Error(`The key ${key} is no verifier.`)
    return user.ctx
  }
  const metrics = createTestMetrics()
  const job = createComputeRefundsJob(
    { ...followed.sync, ctx: { ...ctx, metrics } },
    { retryMs: 0 },
  )
  const signRootAs = async (
    key: number,
    root: RootView,
    changed: (signature: string) => string = (signature) => signature,
  ) => {
    const signature = changed(await signWith(keyOf(key))(root.typedData))
    const input = { index: root.index, root: root.root, signature }
    const caller = asVerifier(key)
    return signRoot(caller, await checkRootSignature(caller, campaignId, input))
  }
  const refunds = () => getRefunds(ctx, campaignId)
  /** The clock of the service shows the time of the newest block. */
  const catchUp = async (): Promise<void> => {
    const block = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
    clock.set(new Date(Number(block.timestamp) * 1_000))
  }
  const settle = async (): Promise<void> => {
    await followed.settle()
    await catchUp()
    await job.run()
  }
  const sendReady = async (ready: ReadyTransaction) => {
    for (const call of ready.sendCalls.calls) await followed.send(3, call)
  }
  return {
    ...followed,
    ...{ ctx, asVerifier, signRootAs, refunds, settle, sendReady, job, metrics },
    /** Proposes a root that this service has not computed. */
    proposeForeign: (index: number, root: string) => followed.propose(index, root),
    /** The root to sign, which must be there. */
    async root(): Promise<RootView> {
      const { root } = await refunds()
      if (!root) throw new Error('There is no root.')
      return root
    },
    /** Two verifiers sign the current root and a stranger proposes it. */
    async propose(): Promise<void> {
      const { root } = await refunds()
      if (!root) throw new Error('There is no root.')
      for (const key of VERIFIERS.slice(0, 2)) await signRootAs(key, root)
      const { propose } = await refunds()
      if (!propose) throw new Error('Nobody can propose the root.')
      await sendReady(propose)
      await settle()
    },
    /** The service has checked no payment for a root so far. */
    async forgetRoots(): Promise<void> {
      await ctx.sql`delete from refund_root`
      await ctx.sql`update campaign_escrow set refunds_checked_to = null`
    },
    async veto(index: number, root: string): Promise<void> {
      const domain = { chainId: TEST_CHAIN.id, escrow: account, campaign: terms.campaign }
      const data = await signWith(keyOf(9))(refundRootVetoTypedData(domain, { index, root }))
      const verifier = terms.verifiers.indexOf(keyOf(9).address.toLowerCase())
      await followed.send(3, vetoRootCall(account, { verifier, data }))
      await settle()
    },
    /** The waiting time of a proposed root passes. */
    async waitForRoot(): Promise<void> {
      await followed.passTime(terms.challenge + 1)
      await settle()
    },
  }
}

export type RefundWorld = Awaited<ReturnType<typeof createRefundWorld>>

/** A cancelled escrow with one plain donor. */
export const createFailedWorld = async (): Promise<RefundWorld> => {
  const world = await createRefundWorld()
  await world.deploy()
  await world.pay(1, 100n)
  await world.cancel()
  await world.settle()
  return world
}
