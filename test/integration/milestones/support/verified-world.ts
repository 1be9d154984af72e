import { type HDNodeWallet, TypedDataEncoder } from 'ethers'
import {
  checkVerification,
  getVerification,
  type VerifyMilestone,
  verifyMilestone,
} from '../../../../src/domain/campaigns/index.ts'
import type { Verified } from '../../../../src/domain/campaigns/milestone/verify-milestone.ts'
import type { TypedData } from '../../../../src/kernel/ports/signatures.ts'
import { address, applyBlock, startChain, txHash } from '../../../support/chain-facts.ts'
import { finalise } from '../../../support/finalise.ts'
import { linkWallet } from '../../../support/linked-wallet.ts'
import { recordGift } from '../../../support/recorded-gift.ts'
import { keyOf } from '../../../support/test-wallets.ts'
import { undoBlocks } from '../../../support/undo-blocks.ts'
import {
  createTestCampaign,
  createUser,
  createWorld,
  type World,
  type WorldOptions,
} from '../../../support/world.ts'

export type Decision = VerifyMilestone['verification']['status']
type User = Awaited<ReturnType<typeof createUser>>
/** A verifier with a linked wallet, whose key signs. */
export type Verifier = User & { key: HDNodeWallet }

export const EVIDENCE = [
  {
    type: 'photo',
    url: 'https://example.org/well.jpg',
    timestamp: '2026-05-01T10:00:00.000Z',
  },
]

export const createVerifier = async (
  world: Pick<World, 'ctx'>,
  index: number,
): Promise<Verifier> => {
  const user = await createUser(world.ctx, ['verifier'])
  const key = keyOf(index)
  await linkWallet(world, user.userId, key.address)
  return { ...user, key }
}

export const signWith =
  (key: HDNodeWallet) =>
  ({ domain, types, message }: TypedData): Promise<string> => {
    const { EIP712Domain: _, ...structs } = types
    const mutable = Object.fromEntries(
      Object.entries(structs).map(([name, fields]) => [name, [...fields]]),
    )
    return key.signTypedData(domain, TypedDataEncoder.from(mutable).types, message)
  }

type Planned = { milestones?: string[]; target?: string; account?: string }

export const createVerifiedWorld = async (options: WorldOptions & Planned = {}) =>
  withMilestones(await createWorld(options), options)

/** Adds a campaign with these milestones, in whole USDC, on a followed chain. */
export const withMilestones = async <W extends World>(world: W, options: Planned = {}) => {
  const { ctx } = world
  const creator = await createUser(ctx)
  const account = options.account ?? address('campaign')
  const campaignId = await createTestCampaign(ctx, {
    creator,
    account,
    target: options.target ?? '100000',
    milestones: options.milestones ?? ['30', '30', '40'],
  })
  const rows = await ctx.sql<{ id: string }[]>`select id from milestone order by position`
  const milestoneIds = rows.map(({ id }) => id)
  await startChain(ctx)
  let height = 0

  const input = (
    verifierSignature: string,
    changes: Partial<VerifyMilestone['verification']> & { milestone?: number } = {},
  ): VerifyMilestone => {
    const { milestone = 0, ...verification } = changes
    return {
      campaignId,
      milestoneId: milestoneIds[milestone] ?? '',
      verification: { status: 'completed', evidence: EVIDENCE, ...verification, verifierSignature },
    }
  }
  /** Reads the typed data to sign from the service. */
  const typedData = async (status: Decision = 'completed', milestone = 0, evidence = EVIDENCE) => {
    const served = await getVerification(ctx, milestoneIds[milestone] ?? '', { status, evidence })
    if (!served.typedData) throw new Error('There is nothing to sign.')
    return served.typedData
  }
  const submit = async (caller: User, given: VerifyMilestone): Promise<Verified> => {
    const asked = world.as(caller)
    return verifyMilestone(asked, await checkVerification(asked, given))
  }

  return {
    ...world,
    creator,
    campaignId,
    milestoneIds,
    input,
    typedData,
    submit,
    /** Lets a verifier sign the current typed data, and submits the signature. */
    async decide(by: Verifier, status: Decision = 'completed', milestone = 0): Promise<Verified> {
      const signature = await signWith(by.key)(await typedData(status, milestone))
      return submit(by, input(signature, { status, milestone }))
    },
    /** Gives in a block that becomes final. `loseGift` removes the newest such block. */
    async give(usdc: bigint): Promise<void> {
      height += 1
      const tx = `gift ${height}`
      await recordGift(
        world.as(creator),
        campaignId,
        { hash: txHash(tx), from: account },
        usdc.toString(),
      )
      await applyBlock(ctx, height, [{ tx, to: account, usdc: usdc * 1_000_000n }])
      await finalise(ctx, height)
    },
    /** Removes the block of the newest gift, although the gift is final and credited. */
    async loseGift(): Promise<void> {
      await undoBlocks(ctx, height, height - 1)
      height -= 1
    },
    async milestone(index = 0) {
      const [row] = await ctx.sql<
        {
          status: string
          verificationRound: number
          verifiedAt: Date | null
          releasedAt: Date | null
        }[]
      >`
        select status, verification_round, verified_at, released_at from milestone
        where id = ${milestoneIds[index] ?? ''}`
      return row
    },
    /** The balances of the campaign's ledger accounts, in whole USDC. */
    async balances(): Promise<{ held: number; released: number }> {
      const rows = await ctx.sql<{ kind: string; balance: string }[]>`
        select account.kind,
               sum(case when entry.credit_account = account.id then entry.amount else -entry.amount end)
                 as balance
        from ledger_account account
        join ledger_entry entry on account.id in (entry.credit_account, entry.debit_account)
        group by account.kind`
      const of = (kind: string) =>
        Number(rows.find((row) => row.kind === kind)?.balance ?? 0) / 1_000_000
      return { held: of('held'), released: of('released') }
    },
    async events(): Promise<{ type: string; data: Record<string, unknown> }[]> {
      const rows = await ctx.sql<{ type: string; body: string }[]>`
        select type, event.body from event where type in ('impact.verified', 'milestone.released')
        order by seq`
      return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data }))
    },
    async notifications(): Promise<{ userId: string; type: string }[]> {
      return [
        ...(await ctx.sql<{ userId: string; type: string }[]>`
          select user_id, type from notification
          where type in ('milestone_verified', 'milestone_rejected') order by created_at, id`),
      ]
    },
  }
}
