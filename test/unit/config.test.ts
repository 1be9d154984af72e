import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'

describe('the settings of who is refused by law', () => {
  test('refuse nobody unless they say so', () => {
    expect(loadConfig({})).toMatchObject({
      blockedCountries: [],
      countryHeader: undefined,
      sanctionsFile: undefined,
    })
  })

  test('take countries in any case, a header, a file, and a contract for each chain', () => {
    const oracle = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb'
    const config = loadConfig({
      BLOCKED_COUNTRIES: 'kp, IR',
      COUNTRY_HEADER: 'CF-IPCountry',
      SANCTIONS_FILE: '/etc/sanctions.txt',
      CHAINS: JSON.stringify([
        { id: 1, name: 'one', rpc: ['http://localhost:1'], sanctionsOracle: oracle },
      ]),
    })
    expect(config).toMatchObject({
      blockedCountries: ['KP', 'IR'],
      countryHeader: 'cf-ipcountry',
      sanctionsFile: '/etc/sanctions.txt',
      chains: [{ sanctionsOracle: oracle.toLowerCase() }],
    })
  })

  test.each([
    [{ BLOCKED_COUNTRIES: 'KP' }, 'BLOCKED_COUNTRIES needs COUNTRY_HEADER'],
    [{ BLOCKED_COUNTRIES: 'Korea', COUNTRY_HEADER: 'x-country' }, 'BLOCKED_COUNTRIES'],
    [{ COUNTRY_HEADER: 'x country' }, 'COUNTRY_HEADER must be the name of a header'],
    [
      { CHAINS: '[{"id":1,"name":"one","rpc":["http://localhost:1"],"sanctionsOracle":"0x1"}]' },
      'sanctionsOracle must be a 0x address',
    ],
  ])('stop the start where they are wrong: %o', (environment, line) => {
    expect(() => loadConfig(environment)).toThrow(line)
  })
})
