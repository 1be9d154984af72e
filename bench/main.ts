import { messageOf, StartError } from '../src/kernel/errors.ts'
import { benchDeliver } from './deliver/deliver.ts'
import { benchGrowth } from './growth/growth.ts'
import { benchRecord } from './record/record.ts'
import {
  deliverTable,
  faultsOf,
  growthTable,
  loadBefore,
  type Results,
  recordTable,
  scanTable,
  settleTable,
  stalledTable,
  writeResults,
} from './report.ts'
import { benchScan } from './scan/scan.ts'
import { benchSettle } from './settle/settle.ts'
import { benchStalled } from './stalled/stalled.ts'
import { type Cleanup, createCleanup } from './support/cleanup.ts'
import { type Options, readOptions, USAGE } from './support/options.ts'
import { startServer } from './support/server.ts'
import { benchVerify, verifyTable } from './verify-block.ts'
import { benchViewers } from './viewers/viewers.ts'
import { viewersTable } from './viewers/viewers-table.ts'

/** `npm run bench` measures each part, prints the results and stores them as JSON. */
const main = async (options: Options, cleanup: Cleanup): Promise<number> => {
  const results: Results = {}
  const load = loadBefore()
  const wants = (part: Options['parts'][number]) => options.parts.includes(part)
  const server = options.parts.some((part) => part !== 'verify')
    ? await startServer(cleanup, options)
    : undefined
  const say = (text: string) => console.log(`\n${text}`)
  if (wants('verify')) {
    results.verify = await benchVerify(cleanup)
    say(verifyTable(results.verify))
  }
  if (server && wants('settle')) {
    results.settle = await benchSettle(server, cleanup, options)
    say(settleTable(results.settle))
  }
  if (server && wants('scan')) {
    results.scan = await benchScan(server, cleanup, options)
    say(scanTable(results.scan))
  }
  if (server && wants('deliver')) {
    results.deliver = await benchDeliver(server, cleanup, options)
    say(deliverTable(results.deliver))
  }
  if (server && wants('stalled')) {
    results.stalled = await benchStalled(server, cleanup, options)
    say(stalledTable(results.stalled))
  }
  if (server && wants('viewers')) {
    results.viewers = await benchViewers(server, cleanup, options)
    say(viewersTable(results.viewers))
  }
  if (server && wants('growth')) {
    results.growth = await benchGrowth(server, cleanup, options)
    say(growthTable(results.growth))
  }
  if (server && wants('record')) {
    results.record = await benchRecord(server, cleanup, options)
    say(recordTable(results.record))
  }
  say(writeResults(results, options, server?.version, load))
  const faults = faultsOf(results)
  for (const fault of faults) console.error(fault)
  return faults.length === 0 ? 0 : 1
}

const cleanup = createCleanup()
try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') console.log(USAGE)
  else process.exitCode = await main(options, cleanup)
} catch (error) {
  if (!cleanup.interrupted()) console.error(error instanceof StartError ? messageOf(error) : error)
  process.exitCode = 1
} finally {
  await cleanup.run()
}
