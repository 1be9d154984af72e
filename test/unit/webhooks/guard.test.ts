import { describe, expect, test } from 'vitest'
import { createAddressGuard } from '../../../src/webhooks/guard.ts'
import { HOSTILE_URLS, LOOPBACK_URLS } from './support/hostile-urls.ts'

const strict = createAddressGuard({ requireHttps: true, allowLoopback: false })
const sandbox = createAddressGuard({ requireHttps: false, allowLoopback: true })

const PUBLIC = [
  'https://hooks.example.com/',
  'https://hooks.example.com:443/path?query',
  'https://hooks.example.com:8443/',
  'https://hooks.example.com./',
  'https://bücher.example/',
  'https://8.8.8.8/',
  'https://134744072/',
  'https://172.32.0.1/',
  'https://100.128.0.1/',
  'https://169.253.0.1/',
  'https://[2606:4700:4700::1111]/',
  'https://[2a00:1450:4001::1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::808:808]/',
]

describe('the address guard', () => {
  test.each([...LOOPBACK_URLS, ...HOSTILE_URLS])('refuses %s', (url) => {
    expect(() => strict.checkUrl(url)).toThrow(/\.$/)
  })

  test.each(HOSTILE_URLS)('refuses %s in the sandbox too', (url) => {
    expect(() => sandbox.checkUrl(url)).toThrow(/\.$/)
  })

  test.each(PUBLIC)('allows %s', (url) => {
    expect(strict.checkUrl(url).protocol).toBe('https:')
  })

  test.each(LOOPBACK_URLS)('allows %s where loopback is allowed', (url) => {
    expect(sandbox.checkUrl(url)).toBeInstanceOf(URL)
  })

  test('asks for https outside the sandbox', () => {
    expect(() => strict.checkUrl('http://hooks.example.com/')).toThrow('must use https')
    expect(sandbox.checkUrl('http://hooks.example.com/')).toBeInstanceOf(URL)
  })

  test('refuses an address that is none, and one with a zone', () => {
    for (const address of ['', 'nonsense', '1.2.3', 'fe80::1%eth0', '10.0.0.1%x']) {
      expect(() => strict.checkAddress(address)).toThrow()
    }
  })
})
