import { z } from 'zod'
import { parseDatabaseUrl } from '../kernel/database-url.ts'
import { messageOf } from '../kernel/errors.ts'

/** The URLs of settings. No message repeats a URL, because it can contain a password or a key. */

/** A web address. A text that is no URL gets no further checks, so that these can parse it. */
export const WebUrl = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
    error: 'must be a web address',
    abort: true,
  })
  .refine((text) => isEncoded(new URL(text).username + new URL(text).password), {
    error: 'must be a web address: write the character % of its password as %25',
    abort: true,
  })

/** The address of a site, as an origin. Our links begin at its root. */
export const SiteUrl = WebUrl.refine(
  (text) => /^https?:\/\/[^/?#@]+\/?$/i.test(text),
  'must be a web address without a path, such as https://give.example.org',
).transform((text) => new URL(text).origin)

/** An origin in the form of the browsers' header `Origin`, or `*` for all origins. */
export const Origin = z.string().superRefine((text, context) => {
  if (text === '*') return
  const isHttp = /^https?:\/\//i.test(text) && URL.canParse(text)
  const expected = isHttp ? new URL(text).origin : text
  if (text === expected && /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(text)) return
  const remedy = isHttp ? `as ${expected}` : 'with its scheme, such as https://example.org'
  const shown = text.replace(/\/\/.*@/s, '//…@')
  context.addIssue({ code: 'custom', message: `${shown} must be written ${remedy}` })
})

/** `scheme://user:password@host:port/path`. PostgreSQL allows several hosts, with commas. */
const SERVER =
  /^[a-z]+:\/\/([^\s@/?#]*@)?[^\s@/?#:[\]]*(\[[^\s[\]]*\])?(:\d+)?(,[^\s@/?#]+)?([/?][^\s#@]*)?$/

/** The URL of a server, with one of the schemes. It may contain a user name and a password. */
export const serverUrl = (...schemes: string[]) =>
  z
    .string()
    .refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)), {
      error: `must start with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
      abort: true,
    })
    .refine((text) => SERVER.test(text) && isEncoded(text), {
      error: 'must be a URL: write the characters / ? # @ % of its password as %2F %3F %23 %40 %25',
      abort: true,
    })
    .refine((text) => !text.includes('\0') && URL.canParse(text.replaceAll(OTHER_HOSTS, '')), {
      error: 'must name a host that exists, and a port up to 65535',
      abort: true,
    })

/** The URL of a PostgreSQL database, as libpq reads it. */
const DatabaseSetting = serverUrl('postgres', 'postgresql').superRefine((text, context) => {
  try {
    parseDatabaseUrl(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) })
  }
})

/** All hosts but the first, which `URL` cannot parse. */
const OTHER_HOSTS = /,[^\s@/?#]+(?=[/?]|$)/g

const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export const DATABASES = {
  DATABASE_URL: DatabaseSetting.optional(),
  /** The database itself, if DATABASE_URL is a pooler that gives each transaction a session. */
  DATABASE_DIRECT_URL: DatabaseSetting.optional(),
  /** Replicas, from which visitors without credentials read. Each host must be one replica. */
  DATABASE_READ_URL: DatabaseSetting.optional(),
  /** A replica that may be further behind is not read. */
  READ_MAX_LAG_SECONDS: z.coerce.number().min(1).max(3_600).default(5),
}
