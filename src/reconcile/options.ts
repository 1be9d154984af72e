import { parseArgs } from 'node:util'
import { StartError } from '../kernel/errors.ts'

export const USAGE = `npm run reconcile -- [options]
  --from <block>    the first block to compare; default: the oldest stored block
  --to <block>      the last block; default, and at most: the newest final block
  --chain <id>      only needed if several chains are configured
  --resume          continue an earlier comparison that was stopped or killed
  --tokens-only     headers and tokens only: misses native payments; for nodes without proofs
  --full            read every block in full, not only blocks that may hold a payment

Compares every transfer to a campaign's account, and the accounts' balances, with the ledger, and
the ledger with the totals. Works while the service runs. Exits with 0 if everything agrees, 1 if
something differs, 2 if it could not compare everything.`

export type Options = {
  chainId: number | undefined
  from: number | undefined
  to: number | undefined
  resume: boolean
  depth: 'proven' | 'full' | 'tokens'
}

/** Parses the command line. Throws StartError if an option is not valid. */
export const readOptions = (args: readonly string[]): Options | 'help' => {
  const values = parse(args)
  if (values.help) return 'help'
  const from = whole('from', values.from)
  const to = whole('to', values.to)
  if (from !== undefined && to !== undefined && to < from) {
    throw new StartError('--to must not be below --from.')
  }
  if (values.full && values['tokens-only']) {
    throw new StartError('--full and --tokens-only exclude each other.')
  }
  if (values.resume && (from !== undefined || to !== undefined)) {
    throw new StartError(
      '--resume continues with the range of the unfinished comparison: leave out --from and --to.',
    )
  }
  return {
    chainId: whole('chain', values.chain),
    from,
    to,
    resume: values.resume,
    depth: values['tokens-only'] ? 'tokens' : values.full ? 'full' : 'proven',
  }
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        chain: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        resume: { type: 'boolean', default: false },
        'tokens-only': { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}

const whole = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw new StartError(`--${name} must be a whole number, not ${JSON.stringify(text)}.`)
}
