import type { TestApi } from './api.ts'

export const PASSWORD = 'quiet-river-42-stones'

export type Tokens = { accessToken: string; refreshToken: string; expires: number }

export const register = (api: TestApi, name: string, changes: Record<string, unknown> = {}) =>
  api.ask('POST', '/api/auth/register', {
    body: { email: `${name}@example.org`, username: name, password: PASSWORD, ...changes },
  })

export const login = (api: TestApi, username: string, password = PASSWORD) =>
  api.ask('POST', '/api/auth/login', { body: { username, password } })

export const tokensOf = (body: Record<string, unknown>) => body.tokens as Tokens

/** Returns the newest code in the mails to an address. */
export const codeFor = async (api: TestApi, email: string): Promise<string | undefined> => {
  const { body } = await api.ask('GET', `/api/sandbox/mail?to=${encodeURIComponent(email)}`)
  const [newest] = body.mail as { text: string }[]
  return newest && /\b\d{6}\b/.exec(newest.text)?.[0]
}

export const verify = (api: TestApi, email: string, code?: string) =>
  api.ask('POST', '/api/auth/request-verification', { body: { email, code } })

/** Registers a user, verifies the mail address and signs in. */
export const signUp = async (api: TestApi, name: string) => {
  const email = `${name}@example.org`
  const { body } = await register(api, name)
  await verify(api, email, await codeFor(api, email))
  const { accessToken: token, refreshToken } = tokensOf((await login(api, name)).body)
  return { userId: String(body.userId), email, token, refreshToken }
}

/** Lists the templates of the mails to an address, newest first. */
export const mailsTo = async (api: TestApi, email: string): Promise<string[]> => {
  const { body } = await api.ask('GET', `/api/sandbox/mail?to=${encodeURIComponent(email)}`)
  return (body.mail as { template: string }[]).map(({ template }) => template)
}

/** Returns a code that differs from this code. */
export const wrongCode = (code: string | undefined) => (code === '000000' ? '000001' : '000000')

/** Counts the rows of each table that refer to this user. */
export const rowsOf = async ({ ctx }: TestApi, userId: string): Promise<Record<string, number>> => {
  const tables = await ctx.pool<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' order by 1`
  const counts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as count from "${name}" where user_id = '${userId}'`,
  )
  const rows = await ctx.pool.unsafe<{ name: string; count: number }[]>(counts.join(' union all '))
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
