import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import * as schema from '../../src/db/schema/index.ts'

const TEXT = readFileSync(join(import.meta.dirname, '../../docs/check.md'), 'utf8')

/** The tables whose columns docs/check.md explains. */
const TABLES = [
  schema.donation,
  schema.chainTransfer,
  schema.campaign,
  schema.campaignEscrow,
  schema.escrowEvent,
  schema.campaignTotal,
  schema.milestone,
  schema.milestoneVerification,
  schema.ledgerAccount,
  schema.ledgerEntry,
  schema.ledgerSeal,
  schema.sealedEntry,
  schema.sealKey,
  schema.donationProof,
  schema.asset,
].map(getTableConfig)

/** The column names in the first cells of the table below a heading. */
const documented = (heading: string): string[] => {
  const section = TEXT.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return section.split('\n').flatMap((line) => {
    const cell = /^\| (`[^|]+) \|/.exec(line)?.[1] ?? ''
    return [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? '')
  })
}

test.each(TABLES.map((table) => [table.name, table] as const))(
  'docs/check.md says of each column of %s what finds a change of it',
  (name, { columns }) => {
    expect(documented(name).sort()).toEqual(columns.map((column) => column.name).sort())
  },
)
