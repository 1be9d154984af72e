import { expect, test } from 'vitest'
import { createGate } from '../../../src/auth/gate.ts'
import { refusePassword } from '../../../src/auth/password-rules.ts'
import { createPasswords } from '../../../src/auth/passwords.ts'
import { createLru } from '../../../src/kernel/lru.ts'

const about = { email: 'ada.lovelace@example.org', username: 'enchantress' }

test('hashes with argon2id at the strength that OWASP asks for, with a salt of its own', async () => {
  const passwords = createPasswords()
  const [one, two] = await Promise.all([passwords.hash('same words'), passwords.hash('same words')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await passwords.verify(one, 'same words')).toBe(true)
  expect(await passwords.verify(one, 'other words')).toBe(false)
})

test('takes the same password from any keyboard', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('caf\u00e9 terrace')
  expect(await passwords.verify(hash, 'cafe\u0301 terrace')).toBe(true)
})

test('refuses any password of an unknown user', async () => {
  expect(await createPasswords().verify(null, 'x')).toBe(false)
})

test('lets a burst of sign-ins wait in a bounded queue, and refuses the rest', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('a long password')
  const results = await Promise.allSettled(
    Array.from({ length: 80 }, () => passwords.verify(hash, 'a long password')),
  )
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(80 - 2 - 64)
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } })
  expect(await passwords.verify(hash, 'a long password')).toBe(true)
})

test('runs no more at once than a gate allows, and lets the next in after a failure', async () => {
  const gate = createGate(2, 10)
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) =>
      gate(async () => {
        running++
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        if (i % 2 === 0) throw new Error('failed')
      }),
    ),
  )
  expect(most).toBe(2)
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  expect(await gate(async () => 'free')).toBe('free')
})

test('refuses passwords that an attacker tries first', () => {
  for (const password of [
    'password123',
    'Password1234',
    'qwertyuiop',
    '1234567890',
    'iloveyou!!!',
    'letmeinletmein',
    'Passw0rd2024',
    'aaaaaaaaaaaaaaa',
    'abababababab',
    'abcdefghijkl',
    '9876543210',
    'Enchantress1',
    'ada.lovelace99',
  ]) {
    expect(refusePassword(password, about), password).toMatch(/too/)
  }
})

test('bounds a password from 10 to 128 characters, counted as people count', () => {
  expect(refusePassword('nine-char', about)).toMatch(/at least 10/)
  expect(refusePassword(`${'correct horse '.repeat(10)}`, about)).toMatch(/at most 128/)
  expect(refusePassword('🐎🔋📎🪜🌊🌵🍋🎲🧭🪁', about)).toBeUndefined()
  expect(refusePassword('correct horse battery staple', about)).toBeUndefined()
  expect(refusePassword('my password is a long tale', about)).toBeUndefined()
})

test('forgets what was used longest ago', () => {
  const lru = createLru<number>(2)
  lru.set('a', 1)
  lru.set('b', 2)
  lru.get('a')
  lru.set('c', 3)
  expect([lru.get('a'), lru.get('b'), lru.get('c')]).toEqual([1, undefined, 3])
})
