import { checkerOf } from './document.ts'
import { waitFor } from './wait-for.ts'

export type ApiAnswer = { status: number; body: Record<string, unknown>; headers: Headers }

const documents = new Map<number, Promise<string>>()

/**
 * Reads the document of the API at this port. Each document is read only once, because it does not
 * change.
 */
const documentOf = (port: number): Promise<string> => {
  const known =
    documents.get(port) ??
    fetch(`http://127.0.0.1:${port}/openapi.json`).then((answer) => answer.text())
  documents.set(port, known)
  return known
}

/**
 * Sends a request to an API process as a client does, and checks the exchange against its document.
 */
export const call = async (
  port: number,
  method: string,
  path: string,
  options: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
): Promise<ApiAnswer> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  const text = await response.text()
  checkerOf(await documentOf(port))({
    method,
    path,
    sent: options.body,
    status: response.status,
    headers: response.headers,
    received: text === '' ? undefined : JSON.parse(text),
  })
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: response.headers,
  }
}

export type ApiUser = { userId: string; token: string; email: string }

/** Registers, verifies the mailed code and signs in by HTTP. */
export const signUp = async (port: number, name: string): Promise<ApiUser> => {
  const email = `${name}@example.org`
  const password = `quiet-river-${name}-42`
  const registered = await call(port, 'POST', '/api/auth/register', {
    body: { email, username: name, password, firstName: name, lastName: 'Test', lang: 'en' },
  })
  if (registered.status !== 201) throw new Error(JSON.stringify(registered.body))
  const code = await waitFor(
    'the code to be mailed',
    async () => {
      const { body } = await call(port, 'GET', `/api/sandbox/mail?to=${encodeURIComponent(email)}`)
      return /\b\d{6}\b/.exec(JSON.stringify((body.mail as { text: string }[])?.[0]?.text))?.[0]
    },
    Boolean,
  )
  await call(port, 'POST', '/api/auth/request-verification', { body: { email, code } })
  const login = await call(port, 'POST', '/api/auth/login', { body: { username: email, password } })
  const tokens = login.body.tokens as { accessToken: string }
  return { userId: String(registered.body.userId), token: tokens.accessToken, email }
}
