import { describe, expect, test } from 'vitest'
import { donationCookie, keptDonation } from '../../../../src/pages/load/donation-cookie.ts'
import { readCookie } from '../../../../src/pages/session/cookie.ts'
import { hashIn, readAmount, retypeAmount, unitsOf } from '../../../../src/pages/shared/typed.ts'

const HASH = `0x${'Ab'.repeat(32)}`

describe('an amount that a person types', () => {
  test.each([
    ['25', 'en', '25'],
    [' 12.50 ', 'en', '12.50'],
    ['12,50', 'de', '12.50'],
    ['0.001', 'de', '0.001'],
    ['0,001', 'fr', '0.001'],
    ['1000', 'pt', '1000'],
  ])('%j in %s is %s', (typed, lang, expected) => {
    expect(readAmount(typed, lang)).toBe(expected)
  })

  test.each([
    ['1,000', 'en'],
    ['1.000', 'de'],
    ['1.000.000', 'es'],
    ['1.000,50', 'de'],
    ['', 'en'],
    ['ten', 'fr'],
    ['-5', 'en'],
  ])('%j in %s is no amount, because it may mean another one', (typed, lang) => {
    expect(unitsOf(readAmount(typed, lang), 6)).toBeUndefined()
  })

  test.each([
    ['12.50', 'en', 'de', '12,50'],
    ['12,50', 'de', 'en', '12.50'],
    ['12,50', 'de', 'fr', '12,50'],
    ['1.500', 'de', 'de', '1.500'],
    ['1,500', 'en', 'de', ''],
    ['ten', 'en', 'en', 'ten'],
  ])('%j of %s is shown in %s as %j', (typed, from, to, expected) => {
    expect(retypeAmount(typed, from, to)).toBe(expected)
  })

  test('becomes base units without losing a digit', () => {
    expect(unitsOf('12345678901234567890.123456', 6)).toBe(12_345_678_901_234_567_890_123_456n)
    expect(unitsOf('0.1234567', 6)).toBeUndefined()
  })
})

describe('the hash of a transaction', () => {
  test.each([HASH, ` ${HASH}\n`, `https://basescan.org/tx/${HASH}#eventlog`])(
    'is found in %j',
    (text) => expect(hashIn(text)).toBe(HASH.toLowerCase()),
  )

  test.each(['', '0x12', HASH.slice(0, -1), `${HASH}0`, HASH.slice(2)])(
    'is not found in %j',
    (text) => expect(hashIn(text)).toBeUndefined(),
  )
})

describe('the cookie of a donation', () => {
  const donation = { id: '0199b0b2-0000-7000-8000-000000000001' }
  const wallet = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
  const token = 'a'.repeat(43)
  const claim = { token, url: '', expiresAt: new Date() }
  const kept = (publicUrl: string, header: string) =>
    keptDonation({
      ctx: { settings: { publicUrl } },
      cookie: (name) => readCookie(header, name),
    })

  test('is sent only to the pages of its donation, and not to scripts', () => {
    const cookie = donationCookie('https://example.org', { donation, wallet, claim })
    expect(cookie).toMatch(
      new RegExp(`^__Secure-donation=.*; Path=/d/${donation.id}; HttpOnly; SameSite=Lax; Secure; `),
    )
    expect(kept('https://example.org', cookie)).toEqual({ claimToken: token, wallet })
  })

  test('of an account has no token', () => {
    const cookie = donationCookie('http://localhost', { donation, wallet, claim: null })
    expect(kept('http://localhost', cookie)).toEqual({ wallet })
  })

  test.each(['donation=', 'donation=x.y', `donation=${token}`, `donation=${token}.0x12`, ''])(
    '%j is ignored',
    (cookie) => expect(kept('http://localhost', cookie)).toBeUndefined(),
  )
})
