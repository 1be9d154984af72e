import { getAddress } from 'ethers'
import { describe, expect, test } from 'vitest'
import { DomainError } from '../../../src/kernel/errors.ts'
import {
  formatLedgerAccount,
  parseAddress,
  parseLedgerAccount,
  toChecksumAddress,
} from '../../../src/kernel/formats/address.ts'

/** The examples of EIP-55. */
const EXAMPLES = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
]

describe('addresses', () => {
  test.each(EXAMPLES)('reads and writes %s', (address) => {
    expect(parseAddress(address)).toBe(address.toLowerCase())
    expect(toChecksumAddress(address.toLowerCase())).toBe(address)
  })

  test('agrees with ethers', () => {
    for (let i = 1; i <= 50; i += 1) {
      const lower = `0x${(BigInt(i) ** 31n % 2n ** 160n).toString(16).padStart(40, '0')}`
      expect(toChecksumAddress(lower)).toBe(getAddress(lower))
    }
  })

  test('reads an address in one case, which has no checksum', () => {
    const [mixed = ''] = EXAMPLES
    expect(parseAddress(mixed.toLowerCase())).toBe(mixed.toLowerCase())
    expect(parseAddress(`0x${mixed.slice(2).toUpperCase()}`)).toBe(mixed.toLowerCase())
  })

  test.each([
    ['a wrong checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
    ['a missing digit', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['no prefix', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['another prefix', '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a space', ' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a line break', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n'],
    ['no hex digit', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg'],
    ['nothing', ''],
  ])('refuses an address with %s', (_, text) => {
    expect(() => parseAddress(text)).toThrow(DomainError)
  })

  test('reads an account with and without its chain', () => {
    const [address = ''] = EXAMPLES
    const lower = address.toLowerCase()
    expect(parseLedgerAccount(address)).toEqual({ chainId: null, address: lower })
    expect(parseLedgerAccount(`eip155:8453:${address}`)).toEqual({ chainId: 8453, address: lower })
    expect(formatLedgerAccount(8453, lower)).toBe(`eip155:8453:${address}`)
  })

  test.each([
    ['another namespace', 'bip122:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['chain zero', 'eip155:0:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    [
      'a chain that no number can hold',
      'eip155:9999999999999999:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    ],
    ['a wrong checksum', 'eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
    ['no address', 'eip155:1:'],
    ['the zero address', `0x${'0'.repeat(40)}`],
  ])('refuses an account with %s', (_, text) => {
    expect(() => parseLedgerAccount(text)).toThrow(DomainError)
  })
})
