import { pino } from 'pino'
import { expect, test } from 'vitest'
import { checkSeals, parseRememberedHeads } from '../../../src/domain/books/index.ts'
import { createSealLedgerJob } from '../../../worker/jobs/seal-ledger.ts'
import { newFolder } from '../../support/new-folder.ts'
import { createSealWorld } from './support/seal-world.ts'

test('a pass that seals is one line of the log, with the newest head of all', async () => {
  const world = await createSealWorld()
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const job = createSealLedgerJob({ ...world.ctx, log }, newFolder())
  await world.writeEntries(2_500)
  await job.run()
  const seals = await world.ctx.sql<{ id: number; globalHead: string }[]>`
    select id, global_head from ledger_seal order by id`
  expect(seals).toHaveLength(3)
  expect(lines).toMatchObject([
    {
      msg: 'ledger sealed',
      seals: 3,
      entries: 2_500,
      lastSeal: 3,
      globalHead: seals[2]?.globalHead,
    },
  ])
  await job.run()
  expect(lines).toHaveLength(1)
  // The log line works as a kept head: with it, a check notices that the newest seals were removed.
  const kept = parseRememberedHeads(JSON.stringify(lines[0]))
  expect((await checkSeals(world.ctx.pool, kept)).differences).toEqual([])
  expect(
    (
      await checkSeals(
        world.ctx.pool,
        kept.map((one) => ({ ...one, seq: 4 })),
      )
    ).differences,
  ).toHaveLength(1)
})
