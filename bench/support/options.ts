import { parseArgs } from 'node:util'
import { StartError } from '../../src/kernel/errors.ts'

export const PARTS = [
  'record',
  'settle',
  'scan',
  'deliver',
  'stalled',
  'viewers',
  'growth',
  'verify',
] as const
export type Part = (typeof PARTS)[number]

export type Options = {
  parts: readonly Part[]
  /**
   * The number of runs of settling, scanning and isolation. The part with viewers settles twice as
   * often, alternately with and without them. The median counts.
   */
  rounds: number
  /** The number of windows of each server in the recording part. Both servers run in turn. */
  windows: number
  /** The length of a window in seconds. */
  windowS: number
  connections: number
  donations: number
  blocks: number
  campaigns: number
  /** The number of events, each for 10 endpoints. */
  events: number
  /** The number of clients that never read. */
  clients: number
  /** The number of viewers, who keep the page of one campaign open. */
  viewers: number
  /** The numbers of donations at which the growth is measured. */
  sizes: readonly number[]
  /** Whether Postgres gathers planner statistics by itself, as in production. */
  autovacuum: boolean
  /** Whether planner statistics are gathered before settling. If not, the tables have none. */
  analyze: boolean
}

export const USAGE = `npm run bench -- [options]
  --only record|settle|scan|deliver|stalled|viewers|growth|verify  only this part (may be given several times)
  --windows 9                  of recording for each server, in turn
  --window 2                   seconds of one of them
  --connections 64             of the load generator
  --campaigns 50
  --donations 10000            to settle
  --blocks 100                 that hold them
  --events 10000               to deliver to 10 endpoints each
  --clients 200                that never read their answers
  --viewers 2000               with open pages of one campaign
  --size 10000 --size 1000000  donations of a deployment, to compare; growth is measured on request
  --rounds 3                   how often settling is measured
  --analyze                    settle with fresh planner statistics
  --no-autovacuum              never gather planner statistics in the background`

/** Reads the command line. Throws StartError with a message of one line. */
export const readOptions = (args: readonly string[]): Options | 'help' => {
  const values = parse(args)
  if (values.help) return 'help'
  const donations = count('donations', values.donations, 1_000_000)
  const blocks = count('blocks', values.blocks, 10_000)
  if (donations % blocks !== 0 || donations / blocks > 400) {
    throw new StartError('--donations must be a multiple of --blocks, at most 400 to a block.')
  }
  return {
    parts: partsOf(values.only),
    rounds: count('rounds', values.rounds, 100),
    windows: count('windows', values.windows, 1_000),
    windowS: count('window', values.window, 600),
    connections: count('connections', values.connections, 1_000),
    campaigns: count('campaigns', values.campaigns, 10_000),
    events: count('events', values.events, 1_000_000),
    clients: count('clients', values.clients, 1_000),
    viewers: count('viewers', values.viewers, 3_000),
    sizes: values.size.map((size) => count('size', size, 10_000_000)),
    donations,
    blocks,
    analyze: values.analyze,
    autovacuum: !values['no-autovacuum'],
  }
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: {
          type: 'string',
          multiple: true,
          // The growth part takes a quarter of an hour, so it does not run by default.
          default: PARTS.filter((part) => part !== 'growth'),
        },
        rounds: { type: 'string', default: '3' },
        windows: { type: 'string', default: '9' },
        window: { type: 'string', default: '2' },
        connections: { type: 'string', default: '64' },
        campaigns: { type: 'string', default: '50' },
        donations: { type: 'string', default: '10000' },
        events: { type: 'string', default: '10000' },
        clients: { type: 'string', default: '200' },
        viewers: { type: 'string', default: '2000' },
        blocks: { type: 'string', default: '100' },
        size: { type: 'string', multiple: true, default: ['10000', '1000000'] },
        analyze: { type: 'boolean', default: false },
        'no-autovacuum': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}

const partsOf = (names: readonly string[]): Part[] => {
  const parts = PARTS.filter((part) => names.includes(part))
  if (parts.length === new Set(names).size) return parts
  throw new StartError(`--only takes one of ${PARTS.join(', ')}.`)
}

const count = (name: string, text: string, most: number): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new StartError(`--${name} must be a whole number from 1 to ${most}.`)
}
