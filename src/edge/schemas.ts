import { z } from 'zod'
import { EXCERPT_LENGTH, MAX_COUNTED } from '../domain/shared/index.ts'
import type { ErrorCode } from '../kernel/errors.ts'
import { jsonDecimal } from '../kernel/formats/json.ts'
import { REQUIREMENTS, STATUS_OF } from './errors.ts'

/** An object with a name in the OpenAPI document, of which generated clients make a type. */
export const component = <T extends z.ZodRawShape>(id: string, shape: T) =>
  z.object(shape).meta({ id })

export const Requires = z.enum(REQUIREMENTS).meta({
  description:
    '`account_proof`: the ledger account must sign that it is yours, `POST /api/campaigns/{id}/account-proof`. Production always requires this, a sandbox only if configured.',
})

const CODES = Object.keys(STATUS_OF) as ErrorCode[]

/** The body of every answer that reports an error. */
export const ErrorBody = component('ApiError', {
  success: z.literal(false),
  error: z.string().describe('One sentence for a person.'),
  code: z.enum(CODES).describe('A stable word for programs: see `/docs/errors`.'),
  requestId: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  requires: Requires.optional(),
})

export const Id = z.uuid()
export const Time = z.iso.datetime({ precision: 3 })
/** The description of a text field that is shortened in lists. */
export const EXCERPT = `The first ${EXCERPT_LENGTH} characters. The request for one item returns the full text.`

export const Success = z.literal(true)

/** An amount in an answer: a number with every digit, or a text if the caller asks for texts. */
export const Amount = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)]).meta({
  id: 'Amount',
  format: 'decimal',
  description:
    'Exact, with every digit: a number to read as a decimal, not as a double. With `Prefer: amounts=text` a text.',
  examples: [12.5],
})

/** Degrees of latitude or longitude, rounded to a double. */
export const Coordinate = z.number().meta({ format: 'double' })

export const Money = component('Money', { value: Amount, currency: z.string() })

type MoneyView = { value: string; currency: string }

/** Converts money to its form in answers: the value becomes a JSON number with all digits. */
export const toMoney = ({ value, currency }: MoneyView) => ({ value: jsonDecimal(value), currency })
export const toMoneyOrNull = (money: MoneyView | null) => (money === null ? null : toMoney(money))

export const toAmountOrNull = (text: string | null) => (text === null ? null : jsonDecimal(text))

export const EVIDENCE = 'Claims of the verifier. This service does not check them.'

export const Pagination = component('Pagination', {
  page: z.int(),
  limit: z.int(),
  total: z
    .int()
    .nullable()
    .meta({
      description: `Null beyond ${MAX_COUNTED}, like \`pages\`: continue with \`nextCursor\`.`,
      examples: [1],
    }),
  pages: z
    .int()
    .nullable()
    .meta({ examples: [1] }),
  nextCursor: z.string().nullable().describe('Null on the last page.'),
})
