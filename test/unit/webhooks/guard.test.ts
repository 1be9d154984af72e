import { describe, expect, it } from 'vitest'
import { createAddressGuard } from '../../../src/webhooks/guard.ts'

const strict = createAddressGuard({ requireHttps: true, allowLoopback: false })
const sandbox = createAddressGuard({ requireHttps: false, allowLoopback: true })

const LOOPBACK = [
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://api.localhost/',
]

const HOSTILE = [
  'https://0.0.0.0/',
  'https://0/',
  'https://0.1.2.3/',
  'https://10.0.0.1/',
  'https://10.255.255.255/',
  'https://0xa.0.0.1/',
  'https://012.0.0.1/',
  'https://167772161/',
  'https://100.64.0.1/',
  'https://100.100.100.200/latest/meta-data',
  'https://169.254.169.254/latest/meta-data',
  'https://169.254.170.2/v2/credentials',
  'https://2852039166/',
  'https://0xA9FEA9FE/',
  'https://0251.0376.0251.0376/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.0.0.192/opc/v2/instance',
  'https://192.0.2.1/',
  'https://192.88.99.1/',
  'https://192.168.0.1/',
  'https://192.168.257/',
  'https://198.18.0.1/',
  'https://198.19.255.255/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://168.63.129.16/',
  'https://224.0.0.1/',
  'https://239.255.255.255/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::1]/',
  'https://[100::1]/',
  'https://[2001::1]/',
  'https://[2001:2::1]/',
  'https://[2001:10::1]/',
  'https://[2001:20::1]/',
  'https://[2001:db8::1]/',
  'https://[2002:7f00:1::1]/',
  'https://[2002:a9fe:a9fe::1]/',
  'https://[3fff::1]/',
  'https://[5f00::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/latest/meta-data',
  'https://[fe80::1]/',
  'https://[febf::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[4000::1]/',
  'https://metadata/',
  'https://intranet/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://printer.local./',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://1.0.0.127.in-addr.arpa/',
  'https://db.corp/',
  'https://example.onion/',
  'https://example.invalid/',
  'https://user@hooks.example.com/',
  'https://user:password@hooks.example.com/',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:25/',
  'https://hooks.example.com:0/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'gopher://hooks.example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://hooks.example.com/',
  'https://',
  'https://[::1',
  'https://999.1.1.1/',
  'https://1.2.3.4.5/',
  'hooks.example.com',
  '//hooks.example.com/',
  '',
  `https://hooks.example.com/${'x'.repeat(2_048)}`,
]

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
  it.each([...LOOPBACK, ...HOSTILE])('refuses %s', (url) => {
    expect(() => strict.checkUrl(url)).toThrow(/\.$/)
  })

  it.each(HOSTILE)('refuses %s in the sandbox too', (url) => {
    expect(() => sandbox.checkUrl(url)).toThrow(/\.$/)
  })

  it.each(PUBLIC)('allows %s', (url) => {
    expect(strict.checkUrl(url).protocol).toBe('https:')
  })

  it.each(LOOPBACK)('allows %s where loopback is allowed', (url) => {
    expect(sandbox.checkUrl(url)).toBeInstanceOf(URL)
  })

  it('asks for https outside the sandbox', () => {
    expect(() => strict.checkUrl('http://hooks.example.com/')).toThrow('must use https')
    expect(sandbox.checkUrl('http://hooks.example.com/')).toBeInstanceOf(URL)
  })

  it('refuses an address that is none, and one with a zone', () => {
    for (const address of ['', 'nonsense', '1.2.3', 'fe80::1%eth0', '10.0.0.1%x']) {
      expect(() => strict.checkAddress(address)).toThrow()
    }
  })
})
