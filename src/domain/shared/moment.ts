import { z } from 'zod'

const IsoTime = z.iso.datetime({ offset: true })

/** Postgres has no year 0. A time in the year 9999 can be in the year 10000 in UTC. */
const isStorable = (date: Date): boolean =>
  date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9_999
const REFUSAL = { error: 'must be within the years 1 to 9999' }

/** A schema for a time with its time zone (ISO 8601). */
export const Moment = IsoTime.transform((text) => new Date(text)).refine(isStorable, REFUSAL)

const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * A schema for a UTC day or a time with its time zone. Appends `rest`, such as `T00:00:00.000Z`, to
 * a text that is only a day.
 */
export const dayOrMoment = (rest: string) =>
  z
    .union([z.iso.date(), IsoTime])
    .transform((text) => new Date(DAY.test(text) ? text + rest : text))
    .refine(isStorable, REFUSAL)
