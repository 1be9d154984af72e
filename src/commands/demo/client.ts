import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

export type Session = { userId: string; email: string; password: string; token: string }
export type Json = Record<string, unknown>

const TIMEOUT_MS = 15_000
const POLL_MS = 100
const MAX_WAIT_MS = 60_000

/** Repeats `read` until it returns a result. Throws Error with `problem` after a minute. */
export const poll = async <T>(problem: string, read: () => T | Promise<T>) => {
  for (const endMs = Date.now() + MAX_WAIT_MS; Date.now() < endMs; await delay(POLL_MS)) {
    const found = await read()
    if (found) return found
  }
  throw new Error(`${problem} in ${MAX_WAIT_MS / 1_000} s.`)
}

/** A client of the public API that uses only `fetch`. */
export const createApiClient = (baseUrl: string) => {
  const call = async (method: string, path: string, body?: Json, token?: string): Promise<Json> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    const answer = text === '' ? {} : (JSON.parse(text) as Json)
    if (!response.ok) throw new Error(String(answer.error))
    return answer
  }

  /** Registers a new user, verifies the mailed code, and signs in. */
  const signUp = async (name: string): Promise<Session> => {
    const tag = randomUUID().slice(0, 8)
    const email = `${name}-${tag}@example.org`
    const password = `correct-horse-${tag}`
    const { userId } = await call('POST', '/api/auth/register', {
      email,
      username: `${name}_${tag}`,
      password,
      firstName: name,
      lastName: 'Demo',
      lang: 'en',
    })
    const code = await readMailedCode(email)
    await call('POST', '/api/auth/request-verification', { email, code })
    return { userId: String(userId), email, password, token: await signIn(email, password) }
  }

  const signIn = async (email: string, password: string): Promise<string> => {
    const login = await call('POST', '/api/auth/login', { username: email, password })
    return (login.tokens as { accessToken: string }).accessToken
  }

  const readMailedCode = async (email: string): Promise<string> => {
    const { mail } = await call('GET', `/api/sandbox/mail?to=${encodeURIComponent(email)}`)
    const text = (mail as { text: string }[] | undefined)?.[0]?.text ?? ''
    const code = /\b\d{6}\b/.exec(text)?.[0]
    if (!code) throw new Error(`No verification code was mailed to ${email}.`)
    return code
  }

  return { call, signUp, signIn }
}

export type ApiClient = ReturnType<typeof createApiClient>
