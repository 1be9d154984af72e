import { rmSync } from 'node:fs'
import type { Queryable } from '../../../../src/db/client.ts'
import { createSecretBox } from '../../../../src/kernel/ports/secrets.ts'
import { createSealLedgerJob } from '../../../../worker/jobs/seal-ledger.ts'
import {
  address,
  applyBlock,
  startChain,
  txHash,
  USDC_ASSET,
} from '../../../support/chain-facts.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { finalise } from '../../../support/finalise.ts'
import { newFolder } from '../../../support/new-folder.ts'
import { recordGift } from '../../../support/recorded-gift.ts'
import { createTestCampaign, createUser, createWorld } from '../../../support/world.ts'

const ACCOUNT = address('campaign')

/** A campaign, and functions that credit and seal its donations. */
export const createSealWorld = async () => {
  const clock = createFakeClock()
  const world = await createWorld({ clock })
  const creator = await createUser(world.ctx)
  const campaignId = await createTestCampaign(world.ctx, {
    creator,
    account: ACCOUNT,
    target: '5000',
  })
  await startChain(world.ctx)
  let block = 0

  /** Credits one donation of 10 USDC for each name, all in one block. Returns their ids. */
  const donate = async (names: string[]): Promise<string[]> => {
    const ids: string[] = []
    for (const name of names) {
      ids.push(
        await recordGift(
          world.as(creator),
          campaignId,
          { hash: txHash(name), from: ACCOUNT },
          '10',
        ),
      )
    }
    block += 1
    await applyBlock(
      world.ctx,
      block,
      names.map((tx) => ({ tx, to: ACCOUNT, usdc: 10_000_000n })),
    )
    await finalise(world.ctx, block)
    return ids
  }

  /** The world has one sealing job, and one folder for the newest head, as a worker has. */
  const folder = newFolder()
  const job = createSealLedgerJob(world.ctx, folder)

  const writeEntries = (sql: Queryable, count: number, at: Date) => sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
    select 'donation', debit.id, credit.id, ${USDC_ASSET}, nr, ${campaignId}, ${at}
    from generate_series(1, ${count}) as nr
    join ledger_account debit on debit.campaign_id = ${campaignId} and debit.kind = 'custody'
    join ledger_account credit on credit.campaign_id = ${campaignId} and credit.kind = 'held'`

  /** Opens the ledger accounts of the campaign, as its first credit does. */
  const openAccounts = (sql: Queryable) => sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    values ('custody', ${campaignId}, ${USDC_ASSET}), ('held', ${campaignId}, ${USDC_ASSET})
    on conflict do nothing`

  return {
    ...world,
    clock,
    folder,
    campaignId,
    otherSecrets: createSecretBox('a secret that is not the one of the others'),
    donate,
    /** Runs one pass of the worker's job. */
    seal: () => job.run(),
    /**
     * Deletes the worker's file of the newest head, so that the worker is like one on a new
     * machine.
     */
    forgetHead: () => rmSync(folder, { recursive: true }),
    /** Writes a ledger entry without a donation, by this connection. */
    writeEntry: async (sql: Queryable) => {
      await writeEntries(sql, 1, clock.now())
    },
    writeEntries: async (count: number) => {
      await openAccounts(world.ctx.sql)
      await writeEntries(world.ctx.sql, count, clock.now())
    },
  }
}

export type SealWorld = Awaited<ReturnType<typeof createSealWorld>>
