import { expect, test } from 'vitest'
import { createSessionCookie } from '../../../../src/pages/session/session-cookie.ts'

const TOKEN = 'abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLM_01'

test('keeps the token from scripts and other sites, and with https also from other hosts', () => {
  const local = createSessionCookie('http://localhost:3000')
  expect(local.set(TOKEN)).toBe(`session=${TOKEN}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`)
  expect(local.clear()).toBe('session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
  const secure = createSessionCookie('https://give.example')
  expect(secure.set(TOKEN)).toBe(
    `__Host-session=${TOKEN}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000`,
  )
  expect(secure.clear()).toBe('__Host-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0')
})

test('reads its own token among other cookies, and no malformed one', () => {
  const { read } = createSessionCookie('http://localhost:3000')
  expect(read(`theme=dark; session=${TOKEN}; lang=de`)).toBe(TOKEN)
  expect(read(`xsession=${TOKEN}`)).toBeUndefined()
  expect(read(`__Host-session=${TOKEN}`)).toBeUndefined()
  expect(read(`session=${TOKEN}x`)).toBeUndefined()
  expect(read('session=')).toBeUndefined()
  expect(read('session')).toBeUndefined()
  expect(read(undefined)).toBeUndefined()
  const secure = createSessionCookie('https://give.example')
  expect(secure.read(`session=${TOKEN}`)).toBeUndefined()
})
