import { StartError } from '../../kernel/errors.ts'
import { parseOptions } from '../command.ts'

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
export const readOptions = (args: readonly string[]): Options => {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean', default: false }] as const
  const options = {
    chain: text,
    from: text,
    to: text,
    resume: flag,
    'tokens-only': flag,
    full: flag,
  }
  const { values } = parseOptions({ args: [...args], options }, USAGE)
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

const whole = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw new StartError(`--${name} must be a whole number, not ${JSON.stringify(text)}.`)
}
